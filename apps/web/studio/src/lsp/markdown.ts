// The server's pages as elements: paragraphs, `code`, and blocks of code. Text never becomes markup.

export function page(markdown: string): HTMLElement {
  const whole = document.createElement("div");
  whole.className = "page";
  for (const [index, part] of markdown.split(/^```.*$/m).entries()) {
    const text = part.replace(/^\n+|\n+$/g, "");
    if (text === "") continue;
    if (index % 2 === 1) whole.append(element("pre", text));
    else for (const paragraph of text.split(/\n{2,}/)) whole.append(inline(paragraph));
  }
  return whole;
}

function inline(text: string): HTMLElement {
  const paragraph = document.createElement("p");
  for (const [index, part] of text.split("`").entries()) paragraph.append(index % 2 === 1 ? element("code", part) : part);
  return paragraph;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
