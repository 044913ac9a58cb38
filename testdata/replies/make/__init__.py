"""The replies of testdata/replies, vendor by vendor; `testdata/make_replies.py` writes them."""

from .bad_openai import bad_chats, bad_responses
from .bad_others import bad_models, bad_scores, bad_spellings, bad_votes
from .files import CASES, FILES, NOTES
from .model_files import other_token_files, recorded_files
from .openai_files import openai_files, openai_json_files
from .openai_token_files import openai_token_files
from .score_files import score_files, vote_files

__all__ = ["BUILDS", "CASES", "FILES", "NOTES"]

# In the order of cases.json.
BUILDS = [
    openai_files,
    openai_token_files,
    openai_json_files,
    other_token_files,
    score_files,
    vote_files,
    bad_chats,
    bad_responses,
    bad_models,
    bad_scores,
    bad_votes,
    bad_spellings,
    recorded_files,
]
