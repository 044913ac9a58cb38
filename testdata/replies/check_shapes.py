"""Check the replies of this folder against the types of the vendors' own SDKs.

A field that the SDK does not declare, a required field that is absent, or a value of another type is an error; it
is printed with its file, row and field, and the exit code is 1. Needs the packages in requirements.txt, and no network:

    python testdata/replies/check_shapes.py
"""

import dataclasses
import json
import re
import sys
import typing
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import botocore.loaders
import botocore.model
import botocore.validate
import cohere
import google.genai.types
import huggingface_hub
import ollama
import pydantic
from azure.ai.textanalytics._generated.v3_0 import models as azure_models_v3
from azure.ai.textanalytics._generated.v2023_04_01 import models as azure_models
from clarifai_grpc.grpc.api import service_pb2
from google.cloud import language_v2, vision
from google.protobuf import json_format
from openai.types import Completion
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from reference import values

FOLDER = Path(__file__).parent
warnings.filterwarnings("ignore", category=DeprecationWarning)

Problems = Iterator[str]


def pydantic_check(model: type[pydantic.BaseModel]) -> Callable[[Any], Problems]:
    """Strict validation, and no field that the model does not declare."""

    def check(reply: object) -> Problems:
        try:
            parsed = model.model_validate_json(json.dumps(reply), strict=True)
        except pydantic.ValidationError as error:
            found = error.errors()
            # Of a union, only the member whose `type` is the reply's says something.
            others = [p["loc"][:-1] for p in found if p["type"] == "literal_error" and p["loc"][-1] == "type"]
            for problem in found:
                if not any(problem["loc"][: len(other)] == other for other in others):
                    yield f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
            if all(problem["loc"][:-1] in others for problem in found):
                yield "no member of a union has this type"
            return
        yield from undeclared(parsed, reply, "")

    return check


def undeclared(value: object, reply: Any, path: str) -> Problems:  # noqa: ANN401
    """Fields of the reply that the models do not declare."""
    if isinstance(value, pydantic.BaseModel):
        fields = type(value).model_fields
        names = {**{name: name for name in fields}, **{f.alias: name for name, f in fields.items() if f.alias}}
        for name, inner in reply.items():
            if name not in names:
                yield f"{path}{name}: not declared by {type(value).__name__}"
            else:
                yield from undeclared(getattr(value, names[name]), inner, f"{path}{name}.")
    elif isinstance(value, list | tuple):
        for i, (inner, raw) in enumerate(zip(value, reply, strict=True)):
            yield from undeclared(inner, raw, f"{path}{i}.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from undeclared(inner, reply[name], f"{path}{name}.")


def dataclass_check(kind: type) -> Callable[[Any], Problems]:
    """A list of Hugging Face's dataclass, or a list of such lists."""
    types = typing.get_type_hints(kind)
    fields = {field.name: types[field.name] for field in dataclasses.fields(kind)}

    def check(reply: object) -> Problems:
        if not isinstance(reply, list) or not reply:
            yield "not a list"
            return
        for i, element in enumerate(reply):
            if isinstance(element, list):
                yield from (f"{i}.{problem}" for problem in check(element))
                continue
            for name in sorted(set(element) ^ set(fields)):
                yield f"{i}.{name}: {'not declared' if name in element else 'absent'}"
            for name in set(element) & set(fields):
                if not isinstance(element[name], fields[name]):
                    yield f"{i}.{name}: not {fields[name].__name__}"

    return check


def botocore_check(service: str, operation: str, required: set[str]) -> Callable[[Any], Problems]:
    """The output shape of an AWS operation; boto3 adds ResponseMetadata."""
    loader = botocore.loaders.Loader()
    model = botocore.model.ServiceModel(loader.load_service_model(service, "service-2"), service)
    shape = model.operation_model(operation).output_shape

    def check(reply: dict[str, Any]) -> Problems:
        rest = {name: value for name, value in reply.items() if name != "ResponseMetadata"}
        for name in sorted(required - set(rest)):
            yield f"{name}: absent"
        report = botocore.validate.ParamValidator().validate(rest, shape)
        if report.has_errors():
            yield report.generate_report()
        yield from outside(rest, shape, "")

    return check


def outside(value: Any, shape: Any, path: str) -> Problems:  # noqa: ANN401
    """Values that are not in an enumeration of AWS, and members that an element lacks."""
    if shape.type_name == "structure":
        for name, inner in value.items():
            if name in shape.members:
                yield from outside(inner, shape.members[name], f"{path}{name}.")
        if shape.name in ("SentimentScore", "DocumentClass", "DocumentLabel"):
            yield from (f"{path}{name}: absent" for name in sorted(set(shape.members) - set(value)))
    elif shape.type_name == "list":
        for i, inner in enumerate(value):
            yield from outside(inner, shape.member, f"{path}{i}.")
    elif getattr(shape, "enum", None) and value not in shape.enum:
        yield f"{path[:-1]}: {value} is not one of {shape.enum}"


def proto_check(message: Any, required: set[str]) -> Callable[[Any], Problems]:  # noqa: ANN401
    """A protocol buffer message, in its JSON form."""

    def check(reply: dict[str, Any]) -> Problems:
        yield from (f"{name}: absent" for name in sorted(required - set(reply)))
        try:
            json_format.ParseDict(reply, message(), ignore_unknown_fields=False)
        except json_format.ParseError as error:
            yield str(error)

    return check


def azure_check(models: Any, name: str) -> Callable[[Any], Problems]:  # noqa: ANN401
    """A model of Azure's SDK, by its map of attributes and its list of required ones."""

    def check(reply: object) -> Problems:
        yield from azure_model(reply, models, name, "")

    return check


def azure_model(value: Any, models: Any, kind: str, path: str) -> Problems:  # noqa: ANN401
    """One value; `kind` is a name of a model, `[name]` for a list, or a plain type."""
    plain = {"str": str, "int": int, "float": (int, float), "bool": bool, "iso-8601": str}
    if kind.startswith("["):
        for i, inner in enumerate(value):
            yield from azure_model(inner, models, kind[1:-1], f"{path}{i}.")
        return
    if kind in plain:
        if not isinstance(value, plain[kind]):
            yield f"{path[:-1]}: not {kind}"
        return
    model = getattr(models, kind)
    if not hasattr(model, "_attribute_map"):  # an enumeration
        if value not in [member.value for member in model]:
            yield f"{path[:-1]}: {value} is not in {kind}"
        return
    if "_subtype_map" in vars(model):
        subtypes = {k: v for inner in model._subtype_map.values() for k, v in inner.items()}
        if value.get("kind") in subtypes:
            yield from azure_model(value, models, subtypes[value["kind"]], path)
            return
    by_key = {re.sub(r"\\", "", attribute["key"]): attribute["type"] for attribute in model._attribute_map.values()}
    for attribute, rule in model._validation.items():
        wanted = model._attribute_map[attribute]["key"]
        if rule.get("required") and wanted not in value:
            yield f"{path}{wanted}: absent"
    for field, inner in value.items():
        if field not in by_key:
            yield f"{path}{field}: not declared by {kind}"
        else:
            yield from azure_model(inner, models, by_key[field], f"{path}{field}.")


def openai_check(reply: dict[str, Any]) -> Problems:
    """A chat completion or a response."""
    model = Response if reply.get("object") == "response" else ChatCompletion
    return pydantic_check(model)(reply)


CHAT = pydantic_check(ChatCompletion)
GEMINI = pydantic_check(google.genai.types.GenerateContentResponse)
HF = dataclass_check(huggingface_hub.TextClassificationOutputElement)
ZERO_SHOT = dataclass_check(huggingface_hub.ZeroShotClassificationOutputElement)
SENTIMENT = botocore_check("comprehend", "DetectSentiment", {"Sentiment", "SentimentScore"})
DOCUMENT = {"DocumentMetadata", "DocumentType"}

# File, where the reply is in a row, and its check.
CHECKS: list[tuple[str, str | None, Callable[[Any], Problems]]] = [
    ("openai-chat.jsonl", None, CHAT),
    ("openai-chat.jsonl.gz", None, CHAT),
    ("openai-array.json", None, CHAT),
    ("openai-ambiguous.jsonl", None, CHAT),
    ("openai-rating.jsonl", None, CHAT),
    ("openai-blank.jsonl", None, CHAT),
    ("openai-punctuation.jsonl", None, CHAT),
    ("openai-sentinel.jsonl", None, CHAT),
    ("openai-missing.jsonl", None, CHAT),
    ("openai-other.jsonl", None, CHAT),
    ("openai-bytes.jsonl", None, CHAT),
    ("openai-case.jsonl", None, CHAT),
    ("openai-json.jsonl", None, CHAT),
    ("openai-json-fenced.jsonl", None, CHAT),
    ("openai-json-nested.jsonl", None, CHAT),
    ("openai-json-number.jsonl", None, CHAT),
    ("openai-json-bool.jsonl", None, CHAT),
    ("openai-wrapped.jsonl", "response", openai_check),
    ("openai-wrapped-deep.jsonl", "call.body", CHAT),
    ("openai-bom-crlf.jsonl", None, CHAT),
    ("openai-batch.jsonl", "response.body", openai_check),
    ("openai-folder", None, openai_check),
    ("openai-responses.jsonl", None, pydantic_check(Response)),
    ("openai-responses.jsonl.zst", None, pydantic_check(Response)),
    ("completions.jsonl", None, pydantic_check(Completion)),
    ("completions-marks.json", None, pydantic_check(Completion)),
    ("gemini.jsonl", None, GEMINI),
    ("gemini-snake.jsonl", None, GEMINI),
    ("ollama-chat.jsonl", None, pydantic_check(ollama.ChatResponse)),
    ("ollama-generate.jsonl", "reply", pydantic_check(ollama.GenerateResponse)),
    ("huggingface.jsonl", None, HF),
    ("huggingface-nested.jsonl", None, HF),
    ("huggingface-one.json", None, HF),
    ("huggingface-numbered.jsonl", "output", HF),
    ("huggingface-sigmoid.jsonl", None, HF),
    ("huggingface-zero-shot.jsonl", None, ZERO_SHOT),
    ("comprehend-sentiment.jsonl", None, SENTIMENT),
    ("comprehend-batch.jsonl", None, botocore_check("comprehend", "BatchDetectSentiment", {"ResultList", "ErrorList"})),
    ("comprehend-classes.jsonl", None, botocore_check("comprehend", "ClassifyDocument", DOCUMENT | {"Classes"})),
    ("comprehend-labels.jsonl", None, botocore_check("comprehend", "ClassifyDocument", DOCUMENT | {"Labels"})),
    ("rekognition.jsonl", None, botocore_check("rekognition", "DetectLabels", {"Labels", "LabelModelVersion"})),
    ("azure-sentiment.jsonl", None, azure_check(azure_models, "SentimentTaskResult")),
    ("azure-sentiment-v3.json", None, azure_check(azure_models_v3, "SentimentResponse")),
    ("azure-custom.jsonl", None, azure_check(azure_models, "CustomSingleLabelClassificationLROResult")),
    ("azure-job.jsonl", None, azure_check(azure_models, "AnalyzeTextJobState")),
    ("google-nl-categories.jsonl", None, proto_check(language_v2.ClassifyTextResponse.pb(), {"categories"})),
    ("google-nl-moderation.jsonl", None, proto_check(language_v2.ModerateTextResponse.pb(), {"moderationCategories"})),
    ("vision.jsonl", None, proto_check(vision.AnnotateImageResponse.pb(), {"labelAnnotations"})),
    ("vision-responses.jsonl", None, proto_check(vision.BatchAnnotateImagesResponse.pb(), {"responses"})),
    ("clarifai.jsonl", None, proto_check(service_pb2.MultiOutputResponse, {"status", "outputs"})),
    ("cohere.jsonl", None, pydantic_check(cohere.ClassifyResponse)),
    ("cohere-wrapped.jsonl", "result", pydantic_check(cohere.ClassifyResponse)),
]


def main() -> None:
    """Check every file; print what is off."""
    problems = rows = 0
    for file, path, check in CHECKS:
        for row, value in enumerate(values(FOLDER / file), start=1):
            for name in path.split(".") if path else []:
                value = value[name]
            rows += 1
            for problem in check(value):
                problems += 1
                print(f"{file}, row {row}: {problem}")
    print(f"{rows} replies in {len(CHECKS)} files, {problems} problems")
    sys.exit(problems > 0)


if __name__ == "__main__":
    main()
