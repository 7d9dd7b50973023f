/**
 * Records of Route 53, which Cloud Control does not have: its own API, which speaks XML. A record's identity is its
 * zone, name, type and set identifier. A create never replaces a record that is there.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { signAws } from "#providers/auth/sign-aws.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type {
  DialectAnswer,
  DialectCall,
  Failed,
  RequestSpec,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { parseXml, toXml, type XmlElement, type XmlValue } from "#providers/rest/xml.ts";
import type { Answer } from "#providers/transport.ts";
import { keysIn } from "./access.ts";
import type { Verb } from "./cloud-control.ts";
import { otherThanSaid } from "./disagreeing-id.ts";
import { partitionOf } from "./partition.ts";

export const RECORD_SET = "aws:AWS::Route53::RecordSet";
const NAMESPACE = "https://route53.amazonaws.com/doc/2013-04-01/";
const VERSION = "/2013-04-01";
/** As in the list of a zone's records; the order is the API's. */
const scalars = ["SetIdentifier", "Weight", "Region", "Failover", "MultiValueAnswer"] as const;
const groups = ["GeoLocation", "CidrRoutingConfig", "GeoProximityLocation"] as const;

interface Key {
  zone: string;
  name: string;
  type: string;
  set?: string;
}

/** Signed for the region that the partition has Route 53 in. */
async function authorize(
  request: Parameters<typeof signAws>[0],
  { credential, session, region, now }: ProviderContext,
): Promise<Readonly<Record<string, string>>> {
  const signed = await signAws(request, {
    keys: keysIn(session ?? credential),
    service: "route53",
    region: partitionOf(region).dnsRegion,
    nowMs: now(),
  });
  return signed.headers;
}

export function recordRequest(verb: Verb, call: DialectCall): RequestSpec | Failed {
  const base = {
    host: "dns",
    filled: true,
    headers: { accept: "application/xml" },
    authorize,
  } as const;
  if (verb === "poll") {
    const change = typeof call.operation === "string" ? call.operation : "";
    return { ...base, method: "GET", path: `${VERSION}/change/${encodeURIComponent(change)}` };
  }
  const key = call.id === undefined ? keyOf(call.properties) : keyIn(call.id);
  if (key === undefined)
    return failure(
      "invalid_request",
      "A record needs HostedZoneId, Name and Type. Give the zone by its id: HostedZoneName does not tell zones of the same name apart.",
    );
  const other = call.id === undefined ? undefined : otherIn(call.properties, key);
  if (call.id !== undefined && other !== undefined) return otherThanSaid(call.id, other);
  const path = `${VERSION}/hostedzone/${encodeURIComponent(key.zone)}/rrset`;
  if (verb === "read" || verb === "list") {
    const first = { name: key.name, type: key.type, ...(key.set && { identifier: key.set }) };
    return { ...base, method: "GET", path, query: { ...first, maxitems: "1" } };
  }
  const Action = verb === "create" ? "CREATE" : verb === "update" ? "UPSERT" : "DELETE";
  // A delete has to name the record as it is.
  const record = verb === "delete" ? (call.current ?? call.properties) : call.body;
  const ResourceRecordSet = recordXml(isJsonMap(record) ? record : {});
  const batch = { ChangeBatch: { Changes: { Change: { Action, ResourceRecordSet } } } };
  const inner = toXml(batch);
  return {
    ...base,
    method: "POST",
    path,
    headers: { ...base.headers, "content-type": "application/xml" },
    text: `<?xml version="1.0" encoding="UTF-8"?><ChangeResourceRecordSetsRequest xmlns="${NAMESPACE}">${inner}</ChangeResourceRecordSetsRequest>`,
  };
}

export function readRecordAnswer({ text }: Answer, verb: string, call: DialectCall): DialectAnswer {
  const root = text === undefined ? undefined : parseXml(text);
  const info = root?.find("ChangeInfo");
  if (info !== undefined) {
    const key = call.id === undefined ? keyOf(call.properties) : keyIn(call.id);
    const id = key === undefined ? {} : { id: idOf(key) };
    const done = info.find("Status")?.text === "INSYNC";
    const operation = (info.find("Id")?.text ?? "").replace(/^\/change\//, "");
    return { kind: "operation", operation, state: { state: done ? "done" : "running", ...id } };
  }
  const sets = root?.find("ResourceRecordSets");
  const key = call.id === undefined ? keyOf(call.properties) : keyIn(call.id);
  if (sets === undefined || key === undefined)
    return failure("invalid_answer", "Route 53 answered with something else.", {
      retryable: true,
      unknownOutcome: verb === "create" || verb === "update" || verb === "delete",
    });
  const found = sets.all("ResourceRecordSet").find((one) => isAt(one, key));
  const object = found === undefined ? undefined : objectOf(found, key, call.properties);
  if (verb === "list")
    return { kind: "list", items: object === undefined ? [] : [{ id: idOf(key), object }] };
  return object === undefined ? { kind: "gone" } : { kind: "object", id: idOf(key), object };
}

function keyOf(properties: JsonMap): Key | undefined {
  const { HostedZoneId, Name, Type, SetIdentifier } = properties;
  if (typeof HostedZoneId !== "string" || typeof Name !== "string" || typeof Type !== "string")
    return undefined;
  const zone = plainZone(HostedZoneId);
  const set = typeof SetIdentifier === "string" ? { set: SetIdentifier } : {};
  return { zone, name: plainName(Name), type: Type, ...set };
}

/** The property that says something else than the id, whose record would be judged by another's zone or name. */
function otherIn({ HostedZoneId, Name, Type, SetIdentifier }: JsonMap, key: Key) {
  if (typeof HostedZoneId === "string" && plainZone(HostedZoneId) !== key.zone)
    return "HostedZoneId";
  if (typeof Name === "string" && plainName(Name) !== plainName(key.name)) return "Name";
  if (typeof Type === "string" && Type !== key.type) return "Type";
  return typeof SetIdentifier === "string" && SetIdentifier !== key.set
    ? "SetIdentifier"
    : undefined;
}

function plainZone(zone: string): string {
  return zone.replace(/^\/hostedzone\//, "");
}

function idOf({ zone, name, type, set }: Key): string {
  return [zone, name, type, ...(set === undefined ? [] : [set])].join("|");
}

function keyIn(id: string): Key | undefined {
  const [zone = "", name = "", type = "", ...rest] = id.split("|");
  if (zone === "" || name === "" || type === "") return undefined;
  return { zone, name, type, ...(rest.length > 0 && { set: rest.join("|") }) };
}

/** Route 53 shows names in lower case, with a dot at the end, and writes `*` as `\052`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCodePoint(Number.parseInt(octal, 8)),
    )
    .replace(/\.$/, "");
}

function isAt(record: XmlElement, { name, type, set }: Key): boolean {
  return (
    plainName(record.find("Name")?.text ?? "") === name &&
    record.find("Type")?.text === type &&
    record.find("SetIdentifier")?.text === set
  );
}

function recordXml(record: JsonMap): Record<string, XmlValue> {
  const { Name, Type, TTL, ResourceRecords, AliasTarget, HealthCheckId } = record;
  const values = (Array.isArray(ResourceRecords) ? ResourceRecords : []).map((Value) => ({
    Value: plain(Value),
  }));
  return {
    Name: plain(Name),
    Type: plain(Type),
    ...Object.fromEntries(scalars.map((name) => [name, plain(record[name])])),
    GeoLocation: group(record["GeoLocation"]),
    TTL: plain(TTL),
    ...(values.length > 0 && { ResourceRecords: { ResourceRecord: values } }),
    AliasTarget: aliasOf(AliasTarget),
    HealthCheckId: plain(HealthCheckId),
    CidrRoutingConfig: group(record["CidrRoutingConfig"]),
    GeoProximityLocation: group(record["GeoProximityLocation"]),
  };
}

function plain(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function group(value: Json | undefined): Record<string, XmlValue> | undefined {
  if (!isJsonMap(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plain(one) ?? group(one)]),
  );
}

/** CloudFormation lets the last of them out, Route 53 does not. */
function aliasOf(value: Json | undefined): Record<string, XmlValue> | undefined {
  if (!isJsonMap(value)) return undefined;
  return {
    HostedZoneId: plain(value["HostedZoneId"]),
    DNSName: plain(value["DNSName"]),
    EvaluateTargetHealth: plain(value["EvaluateTargetHealth"]) ?? "false",
  };
}

/** The record in the words of its properties; what it shows only in another form is as it was sent. */
function objectOf(record: XmlElement, key: Key, sent: JsonMap): JsonMap {
  const sentName = typeof sent["Name"] === "string" ? sent["Name"] : "";
  const sentZone = typeof sent["HostedZoneId"] === "string" ? sent["HostedZoneId"] : "";
  const alias = record.find("AliasTarget");
  const records = record.find("ResourceRecords")?.all("ResourceRecord");
  const object: JsonMap = {
    Id: idOf(key),
    HostedZoneId: plainZone(sentZone) === key.zone ? sentZone : key.zone,
    Name: plainName(sentName) === key.name ? sentName : key.name,
    Type: key.type,
  };
  for (const name of [...scalars, "TTL", "HealthCheckId"] as const) {
    const text = record.find(name)?.text;
    if (text !== undefined) object[name] = typedAs(name, text, sent[name]);
  }
  if (records !== undefined)
    object["ResourceRecords"] = records.map((one) => one.find("Value")?.text ?? "");
  if (alias !== undefined) object["AliasTarget"] = aliasIn(alias, sent["AliasTarget"]);
  for (const name of groups) {
    const found = record.find(name);
    const wanted = sent[name];
    if (found !== undefined) object[name] = groupIn(found, isJsonMap(wanted) ? wanted : {});
  }
  return object;
}

function typedAs(name: string, text: string, sent: Json | undefined): Json {
  if (name === "MultiValueAnswer" || typeof sent === "boolean") return text === "true";
  return name === "Weight" || typeof sent === "number" ? Number(text) : text;
}

function aliasIn(alias: XmlElement, sent: Json | undefined): JsonMap {
  const { DNSName } = isJsonMap(sent) ? sent : {};
  const shown = alias.find("DNSName")?.text ?? "";
  const same = typeof DNSName === "string" && aliasName(DNSName) === aliasName(shown);
  return {
    HostedZoneId: alias.find("HostedZoneId")?.text ?? "",
    DNSName: same ? DNSName : shown.replace(/\.$/, ""),
    EvaluateTargetHealth: alias.find("EvaluateTargetHealth")?.text === "true",
  };
}

/** The console puts `dualstack.` before the name of a load balancer. */
function aliasName(name: string): string {
  return plainName(name).replace(/^dualstack\./, "");
}

function groupIn(element: XmlElement, sent: JsonMap): JsonMap {
  const members = [
    "ContinentCode",
    "CountryCode",
    "SubdivisionCode",
    "CollectionId",
    "LocationName",
    "AWSRegion",
    "LocalZoneGroup",
    "Bias",
  ];
  const found: JsonMap = {};
  for (const name of members) {
    const text = element.find(name)?.text;
    if (text !== undefined)
      found[name] = name === "Bias" ? Number(text) : typedAs(name, text, sent[name]);
  }
  const coordinates = element.find("Coordinates");
  if (coordinates !== undefined)
    found["Coordinates"] = {
      Latitude: coordinates.find("Latitude")?.text ?? "",
      Longitude: coordinates.find("Longitude")?.text ?? "",
    };
  return found;
}
