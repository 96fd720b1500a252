// What the page and the picture's worker say to each other.
import type { Draw } from "../../../npm/src/module.ts";
import type { Content } from "../state/gallery";

/** What is to be seen. */
export interface Wanted {
  /** A scene or a program; nothing while there is none. */
  subject: string;
  gpu: string;
  profile?: string;
  view?: string;
  /** How far a scene's cameras have been dragged: degrees around and over. */
  turn: [number, number];
  /** In seconds. While time runs, where it began. */
  time: number;
  playing: boolean;
}

export type ToPicture =
  | { op: "start"; module: WebAssembly.Module; canvas: OffscreenCanvas }
  | { op: "files"; put: [string, Content][]; remove: string[] }
  | { op: "show"; wanted: Wanted }
  /** What a user does in the program that is shown: a line of the machine's input. */
  | { op: "give"; line: string }
  | { op: "save" };

export type FromPicture =
  /** `count` pictures have been drawn. */
  | { op: "drawn"; count: number; frame: number; time: number; width: number; height: number; took: number; moves: boolean; draws: Draw[] | null }
  | { op: "failed"; error: string }
  | { op: "saved"; picture: Blob };
