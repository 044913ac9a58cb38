"""Models behind classifiers that skl2onnx has converted."""

def check_behind(program):
    pass
