// The language client of `gpuzoo lsp`, the debugger of `gpuzoo dap`, and a panel with the picture of a scene or program, drawn anew when
// it is saved.
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function program() {
  return vscode.workspace.getConfiguration("gpuzoo").get("path", "gpuzoo");
}

/** What the server reads documents with: the settings that are set. */
function settings() {
  const own = vscode.workspace.getConfiguration("gpuzoo");
  const all = Object.entries({ gpu: own.get("gpu"), ...own.get("read") });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined && value !== ""));
}

async function activate(context) {
  const languages = context.extension.packageJSON.contributes.languages.map((language) => language.id);
  const selector = [...languages, "toml"].map((language) => ({ scheme: "file", language }));
  client = new LanguageClient(
    "gpuzoo",
    "gpuzoo",
    { command: program(), args: ["lsp"] },
    { documentSelector: selector, initializationOptions: settings() },
  );
  context.subscriptions.push(
    vscode.commands.registerCommand("gpuzoo.preview", () => preview(context)),
    vscode.commands.registerCommand("gpuzoo.why", ({ variable }) => why(variable)),
    vscode.commands.registerCommand("gpuzoo.askForPixel", () => ask("Pixel: column and row, from 0", "320,240", /^\d+,\d+$/)),
    vscode.commands.registerCommand("gpuzoo.askForVertex", () => ask("Vertex, from 0", "0", /^\d+$/)),
    vscode.debug.registerDebugAdapterDescriptorFactory("gpuzoo", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["dap"]),
    }),
    // Without a launch.json: the file in front.
    vscode.debug.registerDebugConfigurationProvider("gpuzoo", {
      resolveDebugConfiguration: (_, own) =>
        own.type ? own : { type: "gpuzoo", request: "launch", name: "Debug this program", program: "${file}" },
    }),
  );
  try {
    await client.start();
  } catch (error) {
    const path = "Set gpuzoo.path";
    const chosen = await vscode.window.showErrorMessage(`gpuzoo does not start: ${error.message}`, path);
    if (chosen === path) {
      vscode.commands.executeCommand("workbench.action.openSettings", "gpuzoo.path");
    }
  }
}

function deactivate() {
  return client?.stop();
}

/** Asks for what a launch needs; nothing if the launch is given up. */
function ask(prompt, value, form) {
  const validateInput = (text) => (form.test(text) ? undefined : `as in ${value}`);
  return vscode.window.showInputBox({ prompt, value, validateInput });
}

/** Writes to the debug console what a variable was computed from. */
async function why({ name, evaluateName }) {
  const session = vscode.debug.activeDebugSession;
  const frameId = vscode.debug.activeStackItem?.frameId;
  try {
    const { text } = await session.customRequest("gpuzoo/why", { expression: evaluateName ?? name, frameId });
    vscode.debug.activeDebugConsole.appendLine(text);
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

/** Opens a panel with the picture of the text in front. */
function preview(context) {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  if (file === undefined) {
    return;
  }
  const panel = vscode.window.createWebviewPanel(
    "gpuzoo.preview",
    `Picture of ${path.basename(file)}`,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    {},
  );
  // Only the last of several pictures that are drawn at the same time is shown.
  let newest = 0;
  const show = async () => {
    const number = ++newest;
    const html = await drawn(file);
    if (number === newest) {
      panel.webview.html = html;
    }
  };
  const saved = vscode.workspace.onDidSaveTextDocument(() => panel.visible && show());
  panel.onDidDispose(() => {
    saved.dispose();
    newest = Infinity;
  });
  context.subscriptions.push(panel);
  show();
}

/** A page with the picture of a file, or with what is wrong with it. */
async function drawn(file) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "gpuzoo-"));
  const picture = path.join(folder, "picture.png");
  const more = vscode.workspace.getConfiguration("gpuzoo").get("preview.arguments", []);
  try {
    const messages = await run(["render", file, "-o", picture, "--color", "never", ...more]);
    const bytes = await fs.readFile(picture).catch(() => undefined);
    const image = bytes && `<img alt="" src="data:image/png;base64,${bytes.toString("base64")}">`;
    return page(`${image ?? ""}<pre>${escaped(messages)}</pre>`);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** What the program says. */
function run(args) {
  return new Promise((resolve) => {
    execFile(program(), args, { maxBuffer: 16 << 20 }, (error, _, messages) => {
      resolve(error && messages === "" ? error.message : messages);
    });
  });
}

function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text.replace(/[&<>]/g, (letter) => names[letter]);
}

function page(body) {
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
    <style>img { max-width: 100%; image-rendering: pixelated; } pre { white-space: pre-wrap; }</style>
  </head>
  <body>${body}</body>
</html>`;
}

module.exports = { activate, deactivate };
