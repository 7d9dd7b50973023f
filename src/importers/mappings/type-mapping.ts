/**
 * How resource types of a Terraform provider become ours, as data: one JSON file per provider beside this one. A
 * property that a table does not name is converted by the table's `naming` and taken if our type has it.
 */
import type { Json } from "#platform/json.ts";

export interface MappingTable {
  /** The name of the Terraform provider: `aws`, `azurerm`. */
  provider: string;
  /** What becomes of a snake_case name that no rule mentions: as it is, `cidrBlock`, or `CidrBlock`. */
  naming: "same" | "camel" | "pascal";
  /**
   * The source's names are made from the vendor's: where the shape of our type is unknown or open, a name without a rule
   * is converted and taken. Else it is left out and listed there, unless its rule is `true`.
   */
  madeFromVendor?: true;
  /** Rules for arguments of every type of the table; a type's own rule of the same name comes first. */
  common?: Readonly<Record<string, PropertyMapping>>;
  /** By the source's type. */
  types: Readonly<Record<string, TypeMapping>>;
  /** Types of which an argument says what they become. By the source's type. */
  variants?: Readonly<Record<string, TypeVariants>>;
  /** Types that are no objects of their own at ours: their properties are those of another object. By the source's type. */
  parts?: Readonly<Record<string, PartMapping>>;
}

export interface TypeVariants {
  /** The argument; a resource in which it is not written out as one of the values has no type. */
  by: string;
  of: Readonly<Record<string, TypeMapping>>;
}

/** Of which each resource has an object of its own in the source. Lists are joined with those that the other object has. */
export interface PartMapping {
  /** The argument with a reference to the resource whose properties these are. Without one, it cannot be said. */
  partOf: string;
  /** Our type of that resource; a resource of another type cannot have the part. */
  type: string;
  /** The path of a list there: the part is an item of it, in which its properties are. */
  item?: string;
  /** What the item has where the source says nothing, by paths in it. */
  defaults?: Readonly<Record<string, Json>>;
  unless?: readonly string[];
  properties?: Readonly<Record<string, PropertyMapping>>;
}

/** A further object of ours that one resource of the source stands for. */
export interface BesideMapping {
  /** The argument: each item of its list, or its one value or block, is an object. Absent, there is none. */
  each: string;
  type: string;
  /** The property with the id of the object of the resource itself. */
  of: string;
  /** For a block, rules by member; its members without a rule go by the naming. */
  members?: Readonly<Record<string, PropertyMapping>>;
  /** For anything else: the path of our property with the value. */
  to?: string;
  set?: Readonly<Record<string, Json>>;
}

export interface TypeMapping {
  /** Our type: `aws:AWS::EC2::VPC`. */
  type: string;
  /** Where arguments without a rule go: `properties` for ARM. Default: the top. */
  under?: string;
  /** A resource with one of these arguments is left out as a whole: without them it would do more than it says. */
  unless?: readonly string[];
  /** By the source's argument or block. */
  properties?: Readonly<Record<string, PropertyMapping>>;
  /** What our type has in every case, by the paths of the properties. */
  set?: Readonly<Record<string, Json>>;
  /** What it has where the source says nothing, by the paths of the properties: what the source's tool sends then. */
  defaults?: Readonly<Record<string, Json>>;
  /**
   * The paths of our outputs by the source's exported attributes, `addresses.0.ip` where a part of one is meant; null:
   * ours shows no such thing. `id` is `id` unless this says otherwise.
   */
  outputs?: Readonly<Record<string, string | null>>;
  /** Exported attributes that have one value for all objects. */
  constants?: Readonly<Record<string, Json>>;
  beside?: readonly BesideMapping[];
  /**
   * What of the source's id is ours: the part after the last `/`, or the whole. Default: the whole. `none`: it has no use.
   * Else a text with attributes of the state in braces, of those that `identityAttributes` lists: `{cluster_id}/{name}`.
   */
  id?: "whole" | "last" | "none" | `${string}{${string}}${string}`;
}

/**
 * The path of our property, dots between its members; a rule; true: what the table's `naming` makes of it, although no
 * shape tells that there is such a property; null: the argument only steers Terraform, so leaving it out loses nothing;
 * false: ours has nothing like it, whatever has its name, so it is left out and listed.
 */
export type PropertyMapping = string | PropertyRule | boolean | null;

export interface PropertyRule {
  /** The path of our property; `""` puts the members of a block where the block itself would be. */
  to: string;
  /** Inside a block, or in each item of a list: rules by member. Others are converted by the table's `naming`. */
  members?: Readonly<Record<string, PropertyMapping>>;
  /**
   * Ours by the source's value, a flag or number as text: `{ "tcp": "TCP" }`; null: ours has it so without it. Others
   * stay. Of a list, each item.
   */
  values?: Readonly<Record<string, Json>>;
  /**
   * `pairs`: a map becomes a list of `{ Key, Value }`. `entries`: a list of such objects becomes a map. `parsed`: a text
   * of JSON becomes the value itself; its keys are converted where a shape has them, and else stay. `text`: a number or
   * flag becomes a text. `keys`: the keys of the map are the user's, none of them is converted. `base64`: ours takes the
   * text in base64.
   */
  as?: "pairs" | "entries" | "parsed" | "text" | "keys" | "base64";
  /** Ours is a list: what is there once, as a block is, becomes a list of it. */
  many?: true;
  /** Ours is one: a list of one becomes its item. A longer list cannot be said. */
  one?: true;
  /**
   * Of a block that says several things at once: each value of these members, of lists each item, becomes an object of
   * ours with it as the named member, beside the members that all have. So ours is a list.
   */
  each?: Readonly<Record<string, string>>;
  /** What the object of a block, or of `wrap`, has where the source says nothing, by paths in it. */
  defaults?: Readonly<Record<string, Json>>;
  /** The names in the pairs, where they are not `Key` and `Value`. */
  pair?: readonly [key: string, value: string];
  /**
   * Of a text: the first pattern that all of it matches says what it becomes. `$0` is the text, `$1` the first group,
   * `{zone}` another argument of the source's resource as it is written there. A text that no pattern matches stays. What
   * is not written out becomes what the first pattern says if that takes `$0` alone. Of a list, each item.
   */
  rewrites?: readonly (readonly [pattern: string, text: string])[];
  /** Where it is there, ours has this too, by paths in the object in which `to` begins. */
  also?: Readonly<Record<string, Json>>;
  /** Each item of a list, or the one value, becomes an object with it at this path: `id`. */
  wrap?: string;
  /**
   * Of a reference to another object's id or name: reads this output of it instead, as where the source's goes by the
   * name and ours by the id.
   */
  reads?: string;
  /**
   * Only a reference can be said, and what `values` and `rewrites` change: a value that is written out names the object in
   * another way than ours.
   */
  onlyReferences?: true;
  /** Only what `values` and `rewrites` change can be said: anything else has another meaning or another unit. */
  onlyValues?: true;
  /** It gives way to what another argument says of the same property. */
  weak?: true;
  /** Further rules for the same argument, as if it were there several times. */
  more?: readonly PropertyRule[];
}
