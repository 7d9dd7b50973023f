/**
 * Where a cloud's calls differ from its rows: functions of its definition, which stand in the cloud's own folder. Their
 * rows are the cloud's own, which may have members besides those of `RestType`. They are pure.
 */
import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { RequestSpec } from "./definition.ts";
import type { RestType } from "./rest-type.ts";

/** What an update changes, as its row sends it: with the marks, without what has a call of its own. */
export interface SentChange {
  before: JsonMap;
  after: JsonMap;
  /** Whether `before` was applied is not known. */
  unsure: boolean;
}

/** A create, an update or a delete whose request is made. */
export interface ChangeRequest {
  row: RestType;
  context: ProviderContext;
  properties: JsonMap;
  verb: "create" | "update" | "delete";
  /** Of an update. */
  change?: SentChange;
  /** The object as it is now, if it was read before the change. */
  current?: JsonMap;
}

export interface RestHooks {
  /** The row at a target whose config, or for an object whose properties, change how the cloud behaves. */
  rowIn?(row: RestType, config: JsonMap, properties: JsonMap): RestType;
  /** Headers of every request for an object of the row. */
  headers?(context: ProviderContext, row: RestType): Readonly<Record<string, string>>;
  /** Whether the object is read before it is changed so. */
  readsFirst?(verb: "update" | "delete", row: RestType): boolean;
  /** The request of a change, as this cloud takes it. Changes by a dialect and calls of parts are not asked for. */
  prepare?(request: RequestSpec, change: ChangeRequest): RequestSpec;
}
