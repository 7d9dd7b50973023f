/** The data of a graph, which pages write and the script draws. */

export type Tone = "good" | "bad" | "busy" | "wait";

/** The state or change of a resource: words and their colour. */
export interface GraphMark {
  words: string;
  tone?: Tone | undefined;
}

export interface GraphNode {
  /** Unique on the page. Other nodes refer to it in `dependsOn`. */
  id: string;
  /** The displayed name. Default: the id. */
  name?: string;
  type: string;
  /** Its module, file or region. Default: the script groups by the common parts of the types. */
  group?: string | undefined;
  /** The loop or component of which it is a part, which the script shows as a group. */
  part?: string | undefined;
  mark?: GraphMark | undefined;
  /** Ids of other nodes. Unknown ids are ignored. */
  dependsOn: readonly string[];
}
