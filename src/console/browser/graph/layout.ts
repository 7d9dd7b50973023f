/** The question to the Worker that arranges a graph, and its answer. Places are upper left corners. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Place extends Point {
  id: string;
}

export interface Box extends Point, Size {
  key: string;
}

/** A dependency as a line. `isOuter`: it connects groups. */
export interface Line {
  from: string;
  to: string;
  points: readonly Point[];
  isOuter?: boolean;
}

/** The second id depends on the first. */
export type Edge = readonly [from: string, to: string];

export interface ArrangedGroup {
  key: string;
  members: readonly string[];
  isOpen: boolean;
  /** Whether a box is drawn around it. */
  isBox: boolean;
}

export interface Question {
  groups: readonly ArrangedGroup[];
  edges: readonly Edge[];
  /** The size of a resource, and of a closed group. */
  size: Size;
  /** Whether dependencies stand on the left; else above. */
  isWide: boolean;
}

export interface Arrangement extends Size {
  boxes: readonly Box[];
  places: readonly Place[];
  lines: readonly Line[];
}

/** Messages carry the number of their question. */
export interface Asked {
  number: number;
  question: Question;
}

export interface Arranged {
  number: number;
  arrangement: Arrangement;
}
