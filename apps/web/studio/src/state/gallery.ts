// The examples of the repository, which the build puts beside the page.

export interface Entry {
  /** Folder and file, as in `#x=nv2a/light.toml`. */
  id: string;
  folder: string;
  file: string;
  gpu: string;
  title: string;
}

/** A file of a work: text that can be edited, or bytes. */
export type Content = string | Uint8Array<ArrayBuffer>;

export interface Gallery {
  entries: Entry[];
  folders: Record<string, Record<string, Content>>;
}

type Packed = { entries: Entry[]; folders: Record<string, Record<string, string | { base64: string }>> };

export async function fetchGallery(): Promise<Gallery> {
  const answer = await fetch("./assets/examples.json");
  if (!answer.ok) throw new Error(`the examples cannot be read: ${answer.status}`);
  const packed = (await answer.json()) as Packed;
  const folders = Object.fromEntries(
    Object.entries(packed.folders).map(([folder, files]) => [
      folder,
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, unpacked(file)])),
    ]),
  );
  return { entries: packed.entries, folders };
}

function unpacked(file: string | { base64: string }): Content {
  if (typeof file === "string") return file;
  return Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
}
