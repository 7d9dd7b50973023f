import { moduleTypeHint } from "#engine/template/mistakes/module-types.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Place, Template } from "#engine/template/template.ts";
import {
  isWellFormed,
  lacksVersion,
  parseTypeName,
  providerInTypeName,
  withProvider,
} from "#providers/type-name.ts";

/** The most types in a hint. */
const MAX_NAMED = 5;

/** The names of the resource types, and the providers with types beyond them. */
export interface KnownTypes {
  types(): readonly string[];
  /** Providers with types beyond those listed. */
  openProviders: ReadonlySet<string>;
  /** Providers to which this installation cannot deploy. Default: none. */
  unavailableProviders?: ReadonlySet<string>;
}

interface Tools {
  report: Report;
  nearest: (name: string, candidates: readonly string[]) => string | undefined;
}

/** AWS's names with a colon missing or too many. */
const miscountedColons = /^(AWS|Alexa):{1,3}([A-Za-z0-9]+):{1,3}([A-Za-z0-9]+)$/i;

/** Warns, once for each provider, that this installation checks its types but cannot deploy them. */
export function reportUnavailable(
  resources: Template["resources"],
  { unavailableProviders = new Set() }: KnownTypes,
  report: Report,
): void {
  const told = new Set<string>();
  for (const { type, place, places } of Object.values(resources)) {
    const parsed = parseTypeName(type);
    if (parsed === undefined || !isWellFormed(parsed)) continue;
    const { provider } = parsed;
    if (!unavailableProviders.has(provider) || told.has(provider)) continue;
    told.add(provider);
    report.warning(
      "provider_unavailable",
      `This installation cannot deploy to ${provider}: a deployment of this template would fail.`,
      places?.get("/type") ?? place,
      "GET /cloud/providers says which providers are available.",
    );
  }
}

/** Reports a type that the catalogue lacks: a mistake, or a type that cannot be checked. */
export function reportUnknownType(
  type: string,
  place: Place,
  catalog: KnownTypes,
  { report, nearest }: Tools,
): void {
  const prefix = providerInTypeName(type);
  if (prefix === "pulumi") return reportPulumiType(type, place, report);
  const all = catalog.types();
  const parsed = parseTypeName(type);
  const known = likely(type, all);
  const hint = moduleTypeHint(type, known) ?? didYouMean(vendorTypeHint(type, all));
  if (hint === undefined && parsed !== undefined && catalog.openProviders.has(prefix)) {
    if (isWellFormed(parsed)) return reportUnchecked(type, place, known, { report, nearest });
    report.error(
      "unknown_type",
      `${quoted(type)} is not a well-formed type name of the provider ${quoted(prefix)}.`,
      place,
      didYouMean(nearest(type, known)),
    );
    return;
  }
  const ofProvider = known.length > 0 && known !== all;
  // No type of the provider is known. The report that it cannot be deployed to is enough.
  if (!ofProvider && catalog.unavailableProviders?.has(prefix) === true) return;
  const ending = `:${type}`.toLowerCase();
  report.error(
    "unknown_type",
    `There is no resource type ${quoted(type)}.`,
    place,
    hint ??
      didYouMean(
        known.find((other) => other.toLowerCase().endsWith(ending)) ??
          (ofProvider ? nearestAfter(`${prefix}:`, type, known, nearest) : nearest(type, known)),
      ) ??
      ofService(type, known) ??
      (ofProvider
        ? `GET /cloud/providers/${prefix}/types lists those of ${prefix}.`
        : "Write `<provider>:<Type>`, for example `mock:Server`."),
  );
}

function reportPulumiType(type: string, place: Place, report: Report): void {
  report.error(
    "not_supported",
    `The resource type ${quoted(type)} is not supported.`,
    place,
    type.startsWith("pulumi:providers:")
      ? "The instance's target decides the provider: remove the resource."
      : "To read another instance's outputs, bind them to config values.",
  );
}

function reportUnchecked(
  type: string,
  place: Place,
  known: readonly string[],
  { report, nearest }: Tools,
): void {
  if (reportMissingVersion(type, undefined, place, report)) return;
  report.warning(
    "type_unchecked",
    `The type ${quoted(type)} has no description here, so its properties are not checked.`,
    place,
    didYouMean(nearest(type, known)),
  );
}

/** Reports a type without an API version, which its calls need. An error. */
export function reportMissingVersion(
  type: string,
  known: string | undefined,
  place: Place,
  report: Report,
): boolean {
  const parsed = parseTypeName(type);
  if (known !== undefined || parsed === undefined || !lacksVersion(parsed)) return false;
  report.error(
    "version_required",
    `The version of the API of the type ${quoted(type)} is not known here, so the template has to name it.`,
    place,
    `Write the version after the type: \`${type}@<yyyy-mm-dd>\`.`,
  );
  return true;
}

/** The correct name of a type that is written in its vendor's form. */
function vendorTypeHint(type: string, all: readonly string[]): string | undefined {
  const written = withProvider(type.replace(miscountedColons, "$1::$2::$3"));
  if (written === undefined) return undefined;
  const lower = written.toLowerCase();
  return likely(written, all).find((other) => other.toLowerCase() === lower) ?? written;
}

/**
 * The types with which a misspelling is compared: those of the same service if there are any, else of the same
 * provider, else all. A comparison with thousands of types takes long.
 */
function likely(type: string, known: readonly string[]): readonly string[] {
  const groups = groupsOf(known);
  const service = serviceIn(type);
  return (
    (service === undefined ? undefined : groups.get(service)) ??
    groups.get(`${providerInTypeName(type)}:`) ??
    known
  );
}

/** The nearest type by its name after the provider. The common prefix would make any two alike. */
function nearestAfter(
  prefix: string,
  type: string,
  known: readonly string[],
  nearest: Tools["nearest"],
): string | undefined {
  const name = nearest(
    type.slice(prefix.length),
    known.map((other) => other.slice(prefix.length)),
  );
  return name === undefined ? undefined : `${prefix}${name}`;
}

/** The common beginning of a service's types in lower case, such as `aws:aws::s3::` or `azure:microsoft.storage/`. */
function serviceIn(type: string): string | undefined {
  return /^[^:]+:[^:/@]+(?:::[^:/@]+::|\/)/.exec(type)?.[0].toLowerCase();
}

/** Examples of the types of a name's service, or else of the provider's types with that name in another service. */
function ofService(type: string, known: readonly string[]): string | undefined {
  const service = serviceIn(type);
  if (service === undefined) return undefined;
  const own = known.filter((other) => serviceIn(other) === service);
  const last = /\/[^/]+$/.exec(type)?.[0].toLowerCase();
  const others = known.filter((other) => last !== undefined && other.toLowerCase().endsWith(last));
  const some = (own.length > 0 ? own : others).slice(0, MAX_NAMED).map(quoted);
  return some.length === 0 ? undefined : `There are for example ${some.join(", ")}.`;
}

const grouped = new WeakMap<readonly string[], ReadonlyMap<string, string[]>>();

/** All types by their provider and by their service. */
function groupsOf(known: readonly string[]): ReadonlyMap<string, string[]> {
  const before = grouped.get(known);
  if (before !== undefined) return before;
  const groups = new Map<string, string[]>();
  for (const type of known)
    for (const group of [`${providerInTypeName(type)}:`, serviceIn(type)]) {
      if (group === undefined) continue;
      const types = groups.get(group);
      if (types === undefined) groups.set(group, [type]);
      else types.push(type);
    }
  grouped.set(known, groups);
  return groups;
}
