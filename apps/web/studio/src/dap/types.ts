// The parts of the Debug Adapter Protocol that the page uses.

export interface Message {
  seq: number;
  type: "request" | "response" | "event";
  request_seq?: number;
  success?: boolean;
  command?: string;
  message?: string;
  event?: string;
  body?: unknown;
}
export interface Thread {
  id: number;
  name: string;
}
export interface Frame {
  id: number;
  name: string;
  line: number;
  source?: { name: string; path: string };
}
export interface Scope {
  name: string;
  variablesReference: number;
}
export interface Variable {
  name: string;
  value: string;
  type?: string;
  evaluateName?: string;
  variablesReference: number;
}
export interface Filter {
  filter: string;
  label: string;
}
export interface Capabilities {
  exceptionBreakpointFilters?: Filter[];
}
export interface StoppedEvent {
  reason: string;
  threadId: number;
  description?: string;
  text?: string;
}

/** Where a value comes from, as the request `gpuzoo/why` answers it. */
export interface Ancestry {
  text: string;
  ancestry?: { register: string; components: string; of: number[]; nodes: Node[] };
}
export interface Node {
  origin: string;
  slot: number | null;
  register: string;
  components: string;
  value: (number | string | null)[];
  sources: { node?: number; register?: string; components?: string }[] | number[];
}
