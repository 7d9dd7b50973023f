import type { JsonMap } from "#platform/json.ts";
import type { Expression, Member, ObjectExpression } from "./expression.ts";
import type { ImportFormatName } from "./format-names.ts";
import type { Place } from "./import-file.ts";
import type { SourceOption } from "./source-option.ts";

/** Whether the source manages a resource or only reads it. */
export type ResourceMode = "managed" | "data";

/** A unit of a format with its own names: a Terraform folder, a stack's template, a Compose file. */
export interface SourceModule {
  format: ImportFormatName;
  /** The folder for Terraform, the file for other formats. Unique within the import. */
  path: string;
  /** Whether no other module of the import calls it. */
  isRoot: boolean;
  /** Terraform's `required_version`. */
  requiredVersion: string | null;
  /** The place of Terraform's state: the type of the backend, or `cloud`. */
  backend: string | null;
  resources: readonly SourceResource[];
  variables: readonly SourceVariable[];
  outputs: readonly SourceOutput[];
  locals: readonly SourceLocal[];
  moduleCalls: readonly ModuleCall[];
  providers: readonly SourceProvider[];
  /** Terraform's `import` blocks: objects that it adopts. */
  imports?: readonly SourceImport[] | undefined;
  /** Terraform's `moved` blocks: former addresses. */
  moves?: readonly SourceMove[] | undefined;
  /** Parts that are not in the form of a module, such as rules, macros and checks. */
  leftOut?: readonly LeftOutPart[] | undefined;
}

declare const isSafe: unique symbol;

/**
 * A module whose secrets are removed, made by `withoutSecrets`. Inventories and drafts take no other, so what they write
 * can hold none.
 */
export type SafeModule = SourceModule & { readonly [isSafe]: true };

/** An `import` block: an existing object, or one for each member of a collection. */
export interface SourceImport extends Place {
  /** A reference to the address, whose keys may be computed. */
  to: Expression;
  id: Expression | undefined;
  forEach: Expression | undefined;
}

/** Addresses below the module: of a resource, one of its objects, or a call. */
export interface SourceMove extends Place {
  from: string;
  to: string;
}

export interface LeftOutPart extends Place {
  /** The address of its resource or output, or the name of the section. */
  address: string;
  path: string | null;
  reason: string;
}

export interface SourceResource extends Place {
  /** Unique within the module: `aws_vpc.main`, `data.aws_ami.this`, a logical id. */
  address: string;
  mode: ResourceMode;
  /** In the source's words: `aws_vpc`, `AWS::EC2::VPC`, `Microsoft.Network/virtualNetworks@2024-05-01`. */
  type: string;
  /** The source's name: the label, the logical id, the metadata's name. */
  name: string;
  endLine: number;
  /** The name of the provider in the source (`aws`, `azurerm`), with its alias if it has one (`aws.east`). */
  provider: string;
  /** The resource's own region, if it is written out. */
  region?: Expression | undefined;
  /** Whether it stands for several objects (`count`, `for_each`, `copy`), or for one or none (a condition). */
  repeated: boolean;
  /** Terraform's `count`. */
  count?: Expression | undefined;
  /** Terraform's `for_each`. */
  forEach?: Expression | undefined;
  /** CloudFormation's condition, if the deployment decides it. */
  when?: Expression | undefined;
  /** The id of an existing object that the source only reads: Pulumi's `get`. */
  got?: Expression | undefined;
  /** Its settings without the format's own arguments. Nested blocks are objects, repeated blocks lists. */
  settings: ObjectExpression;
  /** Terraform's `connection` and `provisioner`: the tool's own access to the object. No draft contains it. */
  access?: readonly Member[] | undefined;
  /** Addresses of its explicit dependencies. */
  dependsOn: readonly Dependency[];
  /** The vendor's id, from a state or plan. */
  id?: string | undefined;
  /** Attributes beside `id` from which our id may be made. Never stored. */
  names?: ReadonlyMap<string, string> | undefined;
  /** The reason for which no draft can have it. */
  undraftable?: string | undefined;
  /** Its options in the source. */
  options?: readonly SourceOption[] | undefined;
}

export interface Dependency {
  address: string;
  /** The part of a call, such as the name of an output. Absent or unknown: the whole call. */
  path?: readonly (string | number)[] | undefined;
  line: number;
  /** The file of the dependency, if it differs from the resource's. */
  file?: string | undefined;
}

export interface SourceVariable extends Place {
  name: string;
  /** In the format's words: `string`, `list(string)`, `Number`. */
  type: string | null;
  /** Terraform's `type` as an expression. `string` is a text, `list(string)` a call. */
  constraint?: Expression | undefined;
  /** False: null stands for the default. */
  nullable?: boolean | undefined;
  description: string | null;
  /** Undefined: the variable is required. */
  default?: Expression | undefined;
  /** Marked as sensitive, or named like a secret. Its default is never shown. */
  sensitive: boolean;
  allowed?: readonly (string | number | boolean)[] | undefined;
  /** Further rules as keywords of JSON Schema. For a list, those of its items. */
  rules?: JsonMap | undefined;
  /** Further rules as keywords of JSON Schema for the whole value. They may contain values of the source. */
  schema?: JsonMap | undefined;
}

export interface SourceOutput extends Place {
  name: string;
  value: Expression;
  sensitive: boolean;
  description: string | null;
  /** Terraform's: addresses that the readers of this value wait for too. */
  dependsOn?: readonly Dependency[] | undefined;
}

/** A named value that only its module reads. In CloudFormation, a condition or a mapping. */
export interface SourceLocal extends Place {
  name: string;
  value: Expression;
}

export interface ModuleCall extends Place {
  name: string;
  source: string | null;
  /** The variable whose default is a part of the source. */
  chosenBy?: string | undefined;
  version: string | null;
  /** The path of the called module, if the import contains it. */
  target: string | null;
  repeated: boolean;
  count?: Expression | undefined;
  forEach?: Expression | undefined;
  /** CloudFormation's condition, if the deployment decides it. */
  when?: Expression | undefined;
  /** The draft uses the module as a component, though the files tell how often it is called. */
  isComponent?: true;
  settings: ObjectExpression;
  /** Addresses that the whole call waits for. */
  dependsOn: readonly Dependency[];
}

export interface SourceProvider extends Place {
  /** The local name: `aws`. */
  name: string;
  /** The full source: `hashicorp/aws`. */
  source: string | null;
  constraints: readonly string[];
  aliases: readonly SourceProviderAlias[];
  /** The settings of its configuration without an alias. */
  settings: ObjectExpression | null;
}

export interface SourceProviderAlias extends Place {
  name: string;
  settings: ObjectExpression;
}
