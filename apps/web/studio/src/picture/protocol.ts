// What the page and the picture's worker say to each other.
import type { Content } from "../state/gallery";

/** What is to be seen. */
export interface Wanted {
  /** A scene or a program; nothing while there is none. */
  subject: string;
  gpu: string;
  profile?: string;
  view?: string;
  /** In seconds. While time runs, where it began. */
  time: number;
  playing: boolean;
}

export type ToPicture =
  | { op: "start"; module: WebAssembly.Module; canvas: OffscreenCanvas }
  | { op: "files"; put: [string, Content][]; remove: string[] }
  | { op: "show"; wanted: Wanted }
  | { op: "save" };

export type FromPicture =
  /** `count` pictures have been drawn. */
  | { op: "drawn"; count: number; time: number; width: number; height: number; took: number; moves: boolean }
  | { op: "failed"; error: string }
  | { op: "saved"; picture: Blob };
