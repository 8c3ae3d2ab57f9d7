"""An editor made of the library `agent-client-protocol`; prints what came of each step as a line of JSON."""

import asyncio
import json
import os
import sys

from acp import PROTOCOL_VERSION, spawn_agent_process, text_block
from acp.interfaces import Client


class Editor(Client):
    def __init__(self):
        self.updates = []

    async def request_permission(self, *args, **kwargs):
        raise AssertionError("nobody is asked here")

    async def session_update(self, session_id, update, **kwargs):
        self.updates.append((update.session_update, update.content.text))

    def on_connect(self, conn):
        pass


def tell(step, **values):
    print(json.dumps({"step": step, **values}), flush=True)


async def settled(updates):
    """What came, once nothing more comes: the library hands updates over beside the answer."""
    count = -1
    while count != len(updates):
        count = len(updates)
        await asyncio.sleep(0.3)
    return list(updates)


async def main():
    editor = Editor()
    async with spawn_agent_process(editor, *sys.argv[1:], env=dict(os.environ)) as (agent, process):
        greeted = await agent.initialize(protocol_version=PROTOCOL_VERSION)
        tell(
            "initialize",
            version=greeted.protocol_version,
            loads=greeted.agent_capabilities.load_session,
            embedded=greeted.agent_capabilities.prompt_capabilities.embedded_context,
            image=greeted.agent_capabilities.prompt_capabilities.image,
        )
        session = (await agent.new_session(cwd="/tmp", mcp_servers=[])).session_id
        ended = await agent.prompt(session_id=session, prompt=[text_block("good morning to all")])
        tell("prompt", reason=ended.stop_reason, updates=await settled(editor.updates))
        running = asyncio.ensure_future(
            agent.prompt(session_id=session, prompt=[text_block("please hang")])
        )
        # The program that started this one says when the model has the line.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        await agent.cancel(session_id=session)
        tell("cancel", reason=(await running).stop_reason)
        editor.updates.clear()
        await agent.load_session(cwd="/tmp", session_id=session, mcp_servers=[])
        tell("load", updates=await settled(editor.updates))


asyncio.run(main())
