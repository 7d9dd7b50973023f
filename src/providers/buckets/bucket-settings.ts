/**
 * The settings of a bucket, each of which S3 reads and writes by a call of its own, in XML. Properties have the names of
 * Terraform's resources for buckets, because the vendors describe no JSON. (Amazon's S3 API reference; the sources of the
 * Terraform providers of DigitalOcean and Magalu Cloud say which settings these take.)
 */
import { canonicalJson, isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import {
  aFlag,
  aMap,
  aText,
  type Field,
  field,
  group,
  listOf,
  oneOf,
} from "#providers/rest/fields.ts";
import { parseXml, toXml, type XmlElement, type XmlElements } from "#providers/rest/xml.ts";

export interface BucketSetting {
  property: string;
  /** The subresource in the query of its calls. */
  query: string;
  field: Field;
  /** The value in the text of an answer; `undefined`: the answer is not of this kind, `null`: the bucket has none. */
  read: (text: string) => Json | undefined;
  /** The code of the answer for a bucket without it. */
  none?: string;
  /** What sets the value. */
  write: (value: Json) => SettingCall;
  /** The value of a bucket without it; absent: a DELETE takes it away. */
  unset?: Json;
}

export interface SettingCall {
  headers?: Readonly<Record<string, string>>;
  text?: string;
}

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
const EVERYBODY = "http://acs.amazonaws.com/groups/global/AllUsers";
const ALL_ACCOUNTS = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const XML = { "content-type": "application/xml" } as const;

const content = (is: ValueShape): ValueShape => ({ ...is, names: "content" });
const someContent = listOf(content(aText));
const anAmount: ValueShape = { type: "integer", names: "amount" };

/** Who may list the bucket. */
export function aclSetting(): BucketSetting {
  return {
    property: "acl",
    query: "acl",
    field: field("Who may list what is in it.", oneOf("private", "public-read")),
    read: (text) => {
      const grants = rootOf(text, "AccessControlPolicy")?.find("AccessControlList")?.all("Grant");
      return grants && aclOf(grants);
    },
    write: (value) => ({ headers: { "x-amz-acl": scalar(value) ?? "private" } }),
    unset: "private",
  };
}

/** The canned ACL with these grants. More than `public-read` is told apart, so that it is a drift. */
function aclOf(grants: readonly XmlElement[]): string {
  const rights = (group: string): string[] =>
    grants
      .filter((grant) => grant.find("Grantee")?.find("URI")?.text === group)
      .map((grant) => grant.find("Permission")?.text ?? "");
  const everybody = rights(EVERYBODY);
  if (everybody.some((right) => right !== "READ")) return "public-read-write";
  if (everybody.length > 0) return "public-read";
  return rights(ALL_ACCOUNTS).length > 0 ? "authenticated-read" : "private";
}

export function versioningSetting(): BucketSetting {
  return {
    property: "versioning",
    query: "versioning",
    field: field("Whether older versions of objects are kept.", aFlag),
    read: (text) => {
      const root = rootOf(text, "VersioningConfiguration");
      return root === undefined ? undefined : root.find("Status")?.text === "Enabled";
    },
    write: (value) =>
      xmlCall("VersioningConfiguration", { Status: value === true ? "Enabled" : "Suspended" }),
    unset: false,
  };
}

export function corsSetting(): BucketSetting {
  const rule = group(
    {
      id: content(aText),
      allowed_methods: listOf(oneOf("GET", "PUT", "POST", "DELETE", "HEAD")),
      allowed_origins: someContent,
      allowed_headers: someContent,
      expose_headers: someContent,
      max_age_seconds: anAmount,
    },
    ["allowed_methods", "allowed_origins"],
  );
  return {
    property: "cors_rules",
    query: "cors",
    field: field("Which pages of other origins may call it from a browser.", listOf(rule)),
    none: "NoSuchCORSConfiguration",
    read: (text) =>
      rulesIn(rootOf(text, "CORSConfiguration"), "CORSRule", (one) => ({
        id: textIn(one, "ID"),
        allowed_methods: textsIn(one, "AllowedMethod"),
        allowed_origins: textsIn(one, "AllowedOrigin"),
        allowed_headers: textsIn(one, "AllowedHeader"),
        expose_headers: textsIn(one, "ExposeHeader"),
        max_age_seconds: numberIn(one, "MaxAgeSeconds"),
      })),
    write: (value) =>
      xmlCall("CORSConfiguration", {
        CORSRule: mapsIn(value).map((one) => ({
          ID: scalar(one["id"]),
          AllowedOrigin: scalars(one["allowed_origins"]),
          AllowedMethod: scalars(one["allowed_methods"]),
          AllowedHeader: scalars(one["allowed_headers"]),
          ExposeHeader: scalars(one["expose_headers"]),
          MaxAgeSeconds: scalar(one["max_age_seconds"]),
        })),
      }),
  };
}

export function lifecycleSetting(): BucketSetting {
  const rule = group(
    {
      id: content(aText),
      enabled: aFlag,
      prefix: content(aText),
      expiration: group({
        days: anAmount,
        date: content(aText),
        expired_object_delete_marker: aFlag,
      }),
      noncurrent_version_expiration: group({ days: anAmount }, ["days"]),
      abort_incomplete_multipart_upload_days: anAmount,
    },
    ["enabled"],
  );
  return {
    property: "lifecycle_rules",
    query: "lifecycle",
    field: field("When objects and unfinished uploads are deleted.", listOf(rule)),
    none: "NoSuchLifecycleConfiguration",
    read: (text) => rulesIn(rootOf(text, "LifecycleConfiguration"), "Rule", lifecycleIn),
    write: (value) => xmlCall("LifecycleConfiguration", { Rule: mapsIn(value).map(lifecycleXml) }),
  };
}

function lifecycleIn(rule: XmlElement): Record<string, Json | undefined> {
  const expires = rule.find("Expiration");
  const marker = expires && textIn(expires, "ExpiredObjectDeleteMarker");
  const older = rule.find("NoncurrentVersionExpiration");
  const uploads = rule.find("AbortIncompleteMultipartUpload");
  return {
    id: textIn(rule, "ID"),
    enabled: textIn(rule, "Status") === "Enabled",
    prefix: textIn(rule.find("Filter") ?? rule, "Prefix"),
    expiration:
      expires &&
      known({
        days: numberIn(expires, "Days"),
        // Midnight of UTC, as Terraform writes the day.
        date: textIn(expires, "Date")?.slice(0, 10),
        expired_object_delete_marker: marker === undefined ? undefined : marker === "true",
      }),
    noncurrent_version_expiration: older && known({ days: numberIn(older, "NoncurrentDays") }),
    abort_incomplete_multipart_upload_days: uploads && numberIn(uploads, "DaysAfterInitiation"),
  };
}

function lifecycleXml(rule: JsonMap): XmlElements {
  const { expiration, noncurrent_version_expiration: older } = rule;
  const days = scalar(rule["abort_incomplete_multipart_upload_days"]);
  const date = isJsonMap(expiration) ? scalar(expiration["date"]) : undefined;
  return {
    ID: scalar(rule["id"]),
    Filter: { Prefix: scalar(rule["prefix"]) ?? "" },
    Status: rule["enabled"] === true ? "Enabled" : "Disabled",
    Expiration: isJsonMap(expiration)
      ? {
          Days: scalar(expiration["days"]),
          Date: date === undefined ? undefined : `${date}T00:00:00Z`,
          ExpiredObjectDeleteMarker: scalar(expiration["expired_object_delete_marker"]),
        }
      : undefined,
    NoncurrentVersionExpiration: isJsonMap(older)
      ? { NoncurrentDays: scalar(older["days"]) }
      : undefined,
    AbortIncompleteMultipartUpload: days === undefined ? undefined : { DaysAfterInitiation: days },
  };
}

/** Who may do what, as a document of IAM. */
export function policySetting(): BucketSetting {
  return {
    property: "policy",
    query: "policy",
    field: field("The policy document.", aMap),
    none: "NoSuchBucketPolicy",
    read: (text) => readJson(text),
    write: (value) => ({
      headers: { "content-type": "application/json" },
      text: JSON.stringify(value),
    }),
  };
}

/**
 * The value as the cloud shows it, in the form in which it was sent: without the ids that the cloud gives to rules, and
 * with empty texts and lists, which it leaves out.
 */
export function inSentForm(shown: Json, sent: Json | undefined): Json {
  if (shown === null && Array.isArray(sent) && sent.length === 0) return sent;
  if (!Array.isArray(shown) || !Array.isArray(sent)) return shown;
  return shown.map((rule, at) => {
    const wanted = sent[at];
    if (!isJsonMap(rule) || !isJsonMap(wanted)) return rule;
    const { id, ...rest } = rule;
    const empty = Object.entries(wanted).filter(
      ([key, value]) =>
        !Object.hasOwn(rule, key) && (value === "" || (Array.isArray(value) && value.length === 0)),
    );
    return {
      ...(id !== undefined && Object.hasOwn(wanted, "id") && { id }),
      ...rest,
      ...Object.fromEntries(empty),
    };
  });
}

/** Whether the bucket has the value already. An empty list is none. */
export function isSet(setting: BucketSetting, shown: Json, wanted: Json): boolean {
  const has = valueOf(setting, inSentForm(shown, wanted));
  return canonicalJson(has) === canonicalJson(valueOf(setting, wanted));
}

/** The value that the cloud would show. */
export function valueOf({ unset = null }: BucketSetting, wanted: Json | undefined): Json {
  const isNone = wanted === undefined || wanted === null;
  return isNone || (Array.isArray(wanted) && wanted.length === 0) ? unset : wanted;
}

function xmlCall(name: string, elements: XmlElements): SettingCall {
  return {
    headers: XML,
    text: `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${NAMESPACE}">${toXml(elements)}</${name}>`,
  };
}

function rootOf(text: string, name: string): XmlElement | undefined {
  const root = parseXml(text);
  return root?.name === name ? root : undefined;
}

function rulesIn(
  root: XmlElement | undefined,
  name: string,
  ruleOf: (rule: XmlElement) => Record<string, Json | undefined>,
): Json | undefined {
  const rules = root?.all(name).map((one) => known(ruleOf(one)));
  return rules?.length === 0 ? null : rules;
}

function known(values: Readonly<Record<string, Json | undefined>>): JsonMap {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, Json][] =>
      value === undefined ? [] : [[key, value]],
    ),
  );
}

function textIn(element: XmlElement, name: string): string | undefined {
  const text = element.find(name)?.text;
  return text === "" ? undefined : text;
}

function textsIn(element: XmlElement, name: string): string[] | undefined {
  const texts = element.all(name).map(({ text }) => text);
  return texts.length === 0 ? undefined : texts;
}

function numberIn(element: XmlElement, name: string): number | undefined {
  const text = textIn(element, name);
  return text === undefined ? undefined : Number(text);
}

function scalar(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === "object"
    ? undefined
    : String(value);
}

function scalars(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((one) => scalar(one) ?? []) : [];
}

function mapsIn(value: Json): JsonMap[] {
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}
