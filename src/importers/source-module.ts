import type { Expression, Member, ObjectExpression } from "./expression.ts";
import type { ImportFormatName } from "./format-names.ts";
import type { Place } from "./import-file.ts";

/** How a source has a resource: it manages it, or only reads it. */
export type ResourceMode = "managed" | "data";

/** One unit of a format with its own names: a Terraform folder, a stack's template, a Compose file. */
export interface SourceModule {
  format: ImportFormatName;
  /** The folder for Terraform, the file for other formats; unique within the import. */
  path: string;
  /** No other module of the import calls it. */
  isRoot: boolean;
  /** Terraform's `required_version`. */
  requiredVersion: string | null;
  /** Where Terraform stores its state: the type of the backend, or `cloud`. */
  backend: string | null;
  resources: readonly SourceResource[];
  variables: readonly SourceVariable[];
  outputs: readonly SourceOutput[];
  locals: readonly SourceLocal[];
  moduleCalls: readonly ModuleCall[];
  providers: readonly SourceProvider[];
}

export interface SourceResource extends Place {
  /** Unique within the module: `aws_vpc.main`, `data.aws_ami.this`, a logical id. */
  address: string;
  mode: ResourceMode;
  /** As the source writes it: `aws_vpc`, `AWS::EC2::VPC`, `Microsoft.Network/virtualNetworks@2024-05-01`. */
  type: string;
  /** As the source names it: the label, the logical id, the metadata's name. */
  name: string;
  endLine: number;
  /** The name of the provider in the source (`aws`, `azurerm`), with the alias if it names one (`aws.east`). */
  provider: string;
  /** The region that the resource itself names, if it is written out. */
  region?: Expression | undefined;
  /** It stands for several (`count`, `for_each`, `copy`), or for one or none (a condition). */
  repeated: boolean;
  /** Terraform's: how many it stands for. */
  count?: Expression | undefined;
  /** Terraform's: it stands for one for each member. */
  forEach?: Expression | undefined;
  /** Its settings, nested blocks as objects and repeated blocks as lists; without the format's own arguments. */
  settings: ObjectExpression;
  /** Terraform's `connection` and `provisioner`: how the tool itself gets into the object. No draft has it. */
  access?: readonly Member[] | undefined;
  /** Addresses it explicitly waits for. */
  dependsOn: readonly Dependency[];
  /** The vendor's id, where a state or plan tells it. */
  id?: string | undefined;
  /** With it: attributes of which our id may be made. Never stored. */
  names?: ReadonlyMap<string, string> | undefined;
  /** What the source asks of the engine: `retain` keeps the object at a delete. */
  retain?: boolean | undefined;
}

export interface Dependency {
  address: string;
  /** Below a call: what of it, such as the name of one of its outputs. Absent or no such: all of it. */
  path?: readonly (string | number)[] | undefined;
  line: number;
  /** Where that is, if not in the resource's file. */
  file?: string | undefined;
}

export interface SourceVariable extends Place {
  name: string;
  /** In the format's words: `string`, `list(string)`, `Number`. */
  type: string | null;
  /** Terraform's `type` as an expression: `string` is kept as text, `list(string)` is a call. */
  constraint?: Expression | undefined;
  /** False: null stands for the default. */
  nullable?: boolean | undefined;
  description: string | null;
  /** Undefined: it must be given. */
  default?: Expression | undefined;
  /** Marked sensitive, or its name says so. Its default is never shown. */
  sensitive: boolean;
  allowed?: readonly (string | number | boolean)[] | undefined;
}

export interface SourceOutput extends Place {
  name: string;
  value: Expression;
  sensitive: boolean;
  description: string | null;
  /** Terraform's: addresses that whoever waits for it waits for too. */
  dependsOn?: readonly Dependency[] | undefined;
}

/** A named value of the module that only the module reads. */
export interface SourceLocal extends Place {
  name: string;
  value: Expression;
}

export interface ModuleCall extends Place {
  name: string;
  source: string | null;
  version: string | null;
  /** The path of the called module, if it is in the import. */
  target: string | null;
  repeated: boolean;
  count?: Expression | undefined;
  forEach?: Expression | undefined;
  settings: ObjectExpression;
  /** Addresses that all of it explicitly waits for. */
  dependsOn: readonly Dependency[];
}

export interface SourceProvider extends Place {
  /** The local name: `aws`. */
  name: string;
  /** The full source: `hashicorp/aws`. */
  source: string | null;
  constraints: readonly string[];
  aliases: readonly SourceProviderAlias[];
  /** The settings of its configuration without alias. */
  settings: ObjectExpression | null;
}

export interface SourceProviderAlias extends Place {
  name: string;
  settings: ObjectExpression;
}
