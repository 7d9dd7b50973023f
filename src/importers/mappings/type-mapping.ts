/**
 * The form of the mapping tables: data that converts the resource types of a Terraform provider to ours, in one JSON
 * file per provider. A property without a rule is converted by the table's `naming`, and kept if our type has it.
 */
import type { Json } from "#platform/json.ts";

export interface MappingTable {
  /** The name of the Terraform provider: `aws`, `azurerm`. */
  provider: string;
  /** The conversion of a snake_case name without a rule: unchanged, `cidrBlock`, or `CidrBlock`. */
  naming: "same" | "camel" | "pascal";
  /**
   * Whether the source derives its names from the vendor's. Then a name without a rule is also kept where the shape of
   * our type is unknown or open. Otherwise it is left out and listed there, unless its rule is `true`.
   */
  madeFromVendor?: true;
  /** Rules for arguments of every type of the table. A type's own rule of the same name wins. */
  common?: Readonly<Record<string, PropertyMapping>>;
  /** By the source's type. */
  types: Readonly<Record<string, TypeMapping>>;
  /** Types whose mapping depends on an argument. By the source's type. */
  variants?: Readonly<Record<string, TypeVariants>>;
  /**
   * Types without an object of their own in our catalogue: their properties belong to another object. By the source's
   * type.
   */
  parts?: Readonly<Record<string, PartMapping>>;
}

export interface TypeVariants {
  /** The deciding argument. A resource without a literal value of it from `of` has no mapping. */
  by: string;
  of: Readonly<Record<string, TypeMapping>>;
}

/**
 * A part of another object, which is a resource of its own in the source. Lists are joined with those of the other
 * object.
 */
export interface PartMapping {
  /** The argument with a reference to the owning resource. Without a reference the part cannot be drafted. */
  partOf: string;
  /** Our type of the owning resource. A resource of another type cannot have the part. */
  type: string;
  /** The path of a list in the owning object. The part becomes an item of it. */
  item?: string;
  /** Values of the item for properties that the source omits, by path in it. */
  defaults?: Readonly<Record<string, Json>>;
  unless?: readonly string[];
  properties?: Readonly<Record<string, PropertyMapping>>;
}

/** A further object of ours that a resource of the source implies. */
export interface BesideMapping {
  /** The argument. Each item of its list, or its single value or block, becomes an object. Without it there is none. */
  each: string;
  type: string;
  /** The property for the id of the resource's own object. */
  of: string;
  /** For a block: rules by member. Members without a rule follow the naming. */
  members?: Readonly<Record<string, PropertyMapping>>;
  /** For any other value: the path of our property. */
  to?: string;
  set?: Readonly<Record<string, Json>>;
}

export interface TypeMapping {
  /** Our type: `aws:AWS::EC2::VPC`. */
  type: string;
  /** The path for arguments without a rule: `properties` for ARM. Default: the top. */
  under?: string;
  /** A resource with one of these arguments is left out: without them the draft would do more than the source says. */
  unless?: readonly string[];
  /** By the source's argument or block. */
  properties?: Readonly<Record<string, PropertyMapping>>;
  /** Values by which the source says that an argument is not set, by its path: `root_block_device.iops`. */
  unset?: Readonly<Record<string, number | string>>;
  /**
   * The argument by which the source's own tool refuses to delete the object. If it is omitted, the tool refuses it too.
   */
  protectedBy?: string;
  /** Values of our type in every case, by property path. */
  set?: Readonly<Record<string, Json>>;
  /** Values for properties that the source omits, by property path. The source's tool sends the same ones. */
  defaults?: Readonly<Record<string, Json>>;
  /**
   * The paths of our outputs by the source's exported attributes; `addresses.0.ip` is a part of one. Null: ours has no
   * such output. `id` maps to `id` by default.
   */
  outputs?: Readonly<Record<string, string | null>>;
  /** Exported attributes with the same value for all objects. */
  constants?: Readonly<Record<string, Json>>;
  beside?: readonly BesideMapping[];
  /**
   * The part of the source's id that is our id: the text after the last `/` or the whole. Default: the whole. `none`:
   * the id is of no use. Any other text is a pattern with attributes of the state in braces: `{cluster_id}/{name}`.
   * They must be listed in `identityAttributes`.
   */
  id?: "whole" | "last" | "none" | `${string}{${string}}${string}`;
}

/**
 * The mapping of an argument:
 * - a text: the path of our property, with dots between its members,
 * - a rule,
 * - true: the name by the table's `naming`, although no shape confirms it,
 * - null: the argument only steers Terraform and is dropped without loss,
 * - false: ours has no equivalent, whatever the names, so it is left out and listed.
 */
export type PropertyMapping = string | PropertyRule | boolean | null;

export interface PropertyRule {
  /** The path of our property. `""` puts the members of a block in place of the block. */
  to: string;
  /** Rules by member, for a block or for each item of a list. Other members follow the table's `naming`. */
  members?: Readonly<Record<string, PropertyMapping>>;
  /**
   * Our values by the source's; flags and numbers are written as text: `{ "tcp": "TCP" }`. Null: our default, so the
   * property is omitted. Other values stay. In a list, each item is converted.
   */
  values?: Readonly<Record<string, Json>>;
  /**
   * - `pairs`: a map becomes a list of `{ Key, Value }`.
   * - `entries`: a list of such objects becomes a map.
   * - `parsed`: a JSON text becomes its value; keys in a shape are converted, others stay.
   * - `text`: a number or flag becomes a text.
   * - `keys`: the keys of the map are the user's, and none is converted.
   * - `base64`: our property takes the text in base64.
   */
  as?: "pairs" | "entries" | "parsed" | "text" | "keys" | "base64";
  /** Our property is a list: a single value, such as a block, becomes a list of one. */
  many?: true;
  /** Our property is a single value: a list of one becomes its item. A longer list cannot be drafted. */
  one?: true;
  /**
   * For a block that describes several objects: each value of these members, or each item of their lists, becomes an
   * object with it as the named member. The other members are repeated in each. Our property is a list.
   */
  each?: Readonly<Record<string, string>>;
  /** Values that the source omits in the object of a block or of `wrap`, by path in it. */
  defaults?: Readonly<Record<string, Json>>;
  /** The names of the pairs' members, if they are not `Key` and `Value`. */
  pair?: readonly [key: string, value: string];
  /**
   * For a text: the first pattern that matches it as a whole decides the result. `$0` is the text, `$1` the first
   * group, `{zone}` another argument of the resource. A text without a match stays. A computed value becomes the result
   * of the first pattern if that only uses `$0`. In a list, each item is rewritten.
   */
  rewrites?: readonly (readonly [pattern: string, text: string])[];
  /** Further values if the property is present, by path in the object in which `to` begins. */
  also?: Readonly<Record<string, Json>>;
  /** Wraps each item of a list, or the single value, in an object at this path: `id`. */
  wrap?: string;
  /**
   * For a reference to another object's id or name: the output that our property needs instead, where the source refers
   * by name and ours by id.
   */
  reads?: string;
  /**
   * Only references and values changed by `values` and `rewrites` can be drafted: a literal identifies the object in
   * another way than ours.
   */
  onlyReferences?: true;
  /** Only values changed by `values` and `rewrites` can be drafted: others have another meaning or another unit. */
  onlyValues?: true;
  /** Another argument for the same property wins. */
  weak?: true;
  /** Further rules for the same argument, as if it occurred several times. */
  more?: readonly PropertyRule[];
}
