"""A session of pytest-lsp's client with `gpuzoo lsp`: what an editor that nobody of gpuzoo wrote asks and understands.

    pip install pytest-lsp
    GPUZOO=target/debug/gpuzoo python3 -m pytest editors/tests
"""

import os

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

TEXT = "ld r0 0\nadd r0 r0\nst pos  r0\n"
URI = "file:///texts/double.vu"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ.get("GPUZOO", "gpuzoo"), "lsp"]))
async def client(lsp_client: LanguageClient):
    params = types.InitializeParams(capabilities=client_capabilities("neovim"))
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, uri: str, text: str) -> None:
    document = types.TextDocumentItem(uri=uri, language_id="", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))


async def problems(client: LanguageClient, uri: str) -> list:
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [problem.code for problem in client.diagnostics[uri]]


async def test_a_text_is_served(client: LanguageClient):
    opened(client, URI, TEXT)
    # Texture coordinates and colors are not stored.
    assert set(await problems(client, URI)) <= {"D0103", "G0209"}
    document = types.TextDocumentIdentifier(uri=URI)
    at = types.Position(line=1, character=1)

    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=at))
    assert "dreambox.add" in hover.contents.value

    complete = types.CompletionParams(text_document=document, position=types.Position(line=2, character=3))
    found = await client.text_document_completion_async(complete)
    items = found if isinstance(found, list) else found.items
    assert "pos" in [item.label for item in items]

    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=document, options=options)
    )
    assert [edit.new_text for edit in edits] == ["st pos r0\n"]

    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=document)
    )
    assert len(tokens.data) % 5 == 0 and len(tokens.data) > 30

    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=3, character=0))
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(text_document=document, range=whole)
    )
    assert "00000000  1 live" in [hint.label for hint in hints]


async def test_a_mistake_is_shown_and_mended(client: LanguageClient):
    opened(client, URI, TEXT.replace("add", "addd"))
    assert "A0101" in await problems(client, URI)
    document = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
    span = types.Range(start=types.Position(line=1, character=3), end=types.Position(line=1, character=4))
    change = types.TextDocumentContentChangePartial(range=span, text="")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
    )
    assert "A0101" not in await problems(client, URI)


async def test_names_are_renamed_in_texts_and_scenes(client: LanguageClient):
    light = "file:///texts/light.vsh"
    opened(client, light, "#light vector 100\ndp3 r0, v2, #light\nmov oPos, r0\n")
    params = types.RenameParams(
        text_document=types.TextDocumentIdentifier(uri=light),
        position=types.Position(line=0, character=2),
        new_name="sun",
    )
    edit = await client.text_document_rename_async(params)
    assert [change.new_text for change in edit.changes[light]] == ["sun", "sun"]

    scene = "file:///texts/scene.toml"
    opened(client, scene, 'gpu = "nv2a"\nsize = [8, 8]\n[mesh.pot]\nshape = "teapot"\n[[draw]]\nmesh = "pot"\n')
    params.text_document, params.position = types.TextDocumentIdentifier(uri=scene), types.Position(line=2, character=7)
    edit = await client.text_document_rename_async(params)
    assert [change.range.start.line for change in edit.changes[scene]] == [2, 5]
