/** Something that a search can find. */
export interface SearchEntry {
  kind: "endpoint" | "event" | "error" | "topic";
  path: string;
  title: string;
  /** An operation id or a code. */
  name: string;
  /** `POST /api/v1/instances`; empty if it is no endpoint. */
  call: string;
  /** Names of parameters and fields of the request. */
  fields: readonly string[];
  text: string;
}
