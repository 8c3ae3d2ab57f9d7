# What people do with OpenAI's own library for Python, at another address: each thing that was done is printed as a line of JSON.
import json
import sys

import openai

base_url, api_key = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
MODEL = "tameclaw"


def say(content):
    return [{"role": "user", "content": content}]


def tell(value):
    print(json.dumps(value), flush=True)


def refused(act):
    try:
        act()
        tell("not refused")
    except openai.APIStatusError as error:
        tell([type(error).__name__, error.status_code, error.code])


tell([one.id for one in client.models.list()])
tell(client.models.retrieve(MODEL).id)

first = client.chat.completions.create(model=MODEL, messages=say("tell me"))
tell([first.choices[0].message.content, first.choices[0].finish_reason, first.usage.total_tokens])

said = {"role": "assistant", "content": first.choices[0].message.content}
talk = [*say("tell me"), said, *say("where?")]
pieces, tokens = [], None
for chunk in client.chat.completions.create(
    model=MODEL, messages=talk, stream=True, stream_options={"include_usage": True}
):
    pieces += [choice.delta.content or "" for choice in chunk.choices]
    tokens = chunk.usage.total_tokens if chunk.usage else tokens
tell(["".join(pieces), tokens])

refused(lambda: client.chat.completions.create(model=MODEL, messages=[]))
refused(lambda: client.models.retrieve("another"))
refused(lambda: client.embeddings.create(model=MODEL, input="x"))
stranger = openai.OpenAI(base_url=base_url, api_key="wrong", max_retries=0)
refused(lambda: stranger.models.list())
