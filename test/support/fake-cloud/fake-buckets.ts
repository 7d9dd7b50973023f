/**
 * Object storage that speaks S3, as Ceph and MinIO do: buckets of all customers under one set of names for each region,
 * and settings in XML. It checks each signature with a signer that is not the project's, and the digests of bodies.
 */
import { md5 } from "@noble/hashes/legacy.js";
import { digestHex } from "#platform/crypto/digest.ts";
import { isJsonMap } from "#platform/json.ts";
import { parseXml, toXml, type XmlElement, type XmlElements } from "#providers/rest/xml.ts";
import { independentAuthorization, scopeIn } from "#test/support/independent-signature.ts";
import type { FakeFault, FakeVerb } from "./fake-faults.ts";
import { HandWrittenCloud, type HandWrittenCloudOptions } from "./hand-written-cloud.ts";

export const BUCKET_KEYS = {
  accessKeyId: "DO00CANARY0123456789",
  secretAccessKey: "canary+secret/of+buckets/0123456789abcdef",
} as const;

export const BUCKETS = "buckets";

export interface FakeBucketsOptions extends HandWrittenCloudOptions {
  /** For so long the list lacks a new bucket. */
  listLagMs?: number;
}

interface FakeBucket {
  region: string;
  name: string;
  madeMs: number;
  /** Of another customer. */
  isForeign: boolean;
  isFilled: boolean;
  acl: string;
  /** Texts by their subresource, as they are shown. */
  settings: Map<string, string>;
}

interface Call {
  method: string;
  region: string;
  name: string;
  /** The subresource. */
  of: string;
  body: string;
  acl: string | null;
}

class Refused extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the document of each setting may have: its root, and the members of each of its elements. */
const documents: Readonly<Record<string, { root: string; none?: string; elements: string }>> = {
  versioning: { root: "VersioningConfiguration", elements: "Status" },
  cors: {
    root: "CORSConfiguration",
    none: "NoSuchCORSConfiguration",
    elements: "CORSRule ID AllowedOrigin AllowedMethod AllowedHeader ExposeHeader MaxAgeSeconds",
  },
  lifecycle: {
    root: "LifecycleConfiguration",
    none: "NoSuchLifecycleConfiguration",
    elements:
      "Rule ID Filter Prefix Status Expiration Days Date ExpiredObjectDeleteMarker NoncurrentVersionExpiration NoncurrentDays AbortIncompleteMultipartUpload DaysAfterInitiation",
  },
};
const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Whether a request is for object storage, where one address stands for all hosts of a cloud. */
export function isForBuckets(request: Request): boolean {
  return scopeIn(request.headers.get("authorization") ?? "")?.service === "s3";
}

export class FakeBuckets extends HandWrittenCloud<FakeBucketsOptions> {
  readonly #buckets: FakeBucket[] = [];

  constructor(options: FakeBucketsOptions = {}) {
    super(options);
  }

  /** Ids of the customer's own buckets. */
  living(): string[] {
    return this.#buckets.filter(({ isForeign }) => !isForeign).map(idOf);
  }

  /** Makes a bucket as a person would, or, with `isForeign`, another customer. */
  put(region: string, name: string, isForeign = false): void {
    this.#buckets.push(this.#made(region, name, "private", isForeign));
  }

  /** Puts something into the bucket. */
  fill(id: string): void {
    for (const bucket of this.#buckets) if (idOf(bucket) === id) bucket.isFilled = true;
  }

  #made(region: string, name: string, acl: string, isForeign = false): FakeBucket {
    const of = { region, name, acl, isForeign, madeMs: this.now() };
    return { ...of, isFilled: false, settings: new Map() };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    this.requests.push(`${request.method} ${url.host}${url.pathname}${url.search}`);
    const body = await request.text();
    try {
      const region = await this.#signedRegion(request, url, body);
      const name = url.pathname.slice(1);
      const of = url.search.slice(1).replace(/=$/, "");
      const acl = request.headers.get("x-amz-acl");
      const { method } = request;
      const verb = verbOf(method, name, of);
      const fault = this.faults.due(verb, BUCKETS);
      if (fault?.effect === "before") return failed(fault);
      const count = this.ledger.length;
      const text = this.#answer({ method, region, name, of, body, acl });
      const entry = this.ledger[count];
      if (entry !== undefined) await this.afterChange(entry);
      if (fault !== undefined) return failed(fault);
      const headers = { date: new Date(this.now()).toUTCString(), "x-amz-request-id": "fake-s3" };
      return text === undefined
        ? new Response(null, { status: method === "DELETE" ? 204 : 200, headers })
        : new Response(text, { headers: { ...headers, "content-type": typeOf(text) } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return answered(error.status, error.code, error.message);
    }
  };

  async #signedRegion(request: Request, url: URL, body: string): Promise<string> {
    const given = request.headers.get("authorization") ?? "";
    const scope = scopeIn(given);
    if (scope?.service !== "s3" || scope.id !== BUCKET_KEYS.accessKeyId)
      throw new Refused(403, "InvalidAccessKeyId", "UnknownError");
    const key = { id: scope.id, secret: BUCKET_KEYS.secretAccessKey };
    if ((await independentAuthorization(request, body, scope, key)) !== given)
      throw new Refused(403, "SignatureDoesNotMatch", "UnknownError");
    if (request.headers.get("x-amz-content-sha256") !== (await digestHex(body)))
      throw new Refused(400, "XAmzContentSHA256Mismatch", "The body has another digest");
    const sum = btoa(String.fromCharCode(...md5(new TextEncoder().encode(body))));
    if (body !== "" && request.headers.get("content-md5") !== sum)
      throw new Refused(400, "InvalidRequest", "Missing required header: Content-MD5");
    const [region] = url.hostname.split(/\.(?:digitaloceanspaces|magaluobjects)\.com$/);
    if (url.hostname.split(".").length > 2 && region !== url.hostname && region !== scope.region)
      throw new Refused(403, "SignatureDoesNotMatch", "The signature is for another region");
    return scope.region;
  }

  #answer(call: Call): string | undefined {
    const { method, region, name, of } = call;
    if (name === "") return this.#list(region);
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name))
      throw new Refused(400, "InvalidBucketName", "UnknownError");
    const there = this.#buckets.find((one) => one.region === region && one.name === name);
    if (method === "PUT" && of === "") return this.#create(call, there);
    if (there === undefined) throw new Refused(404, "NoSuchBucket", "UnknownError");
    if (there.isForeign) throw new Refused(403, "AccessDenied", "Access Denied");
    if (method === "DELETE" && of === "") return this.#delete(there, call);
    if (method === "GET") return shown(there, of);
    change(there, call);
    this.#record("update", there, call);
    return undefined;
  }

  #create(call: Call, there: FakeBucket | undefined): undefined {
    const { region, name, acl } = call;
    if (there?.isForeign === true) throw new Refused(409, "BucketAlreadyExists", "UnknownError");
    // To its owner, a bucket that is there is as good as new.
    if (there !== undefined) return undefined;
    const bucket = this.#made(region, name, acl ?? "private");
    this.#buckets.push(bucket);
    this.#record("create", bucket, call);
    return undefined;
  }

  #delete(bucket: FakeBucket, call: Call): undefined {
    if (bucket.isFilled) throw new Refused(409, "BucketNotEmpty", "UnknownError");
    this.#buckets.splice(this.#buckets.indexOf(bucket), 1);
    this.#record("delete", bucket, call);
    return undefined;
  }

  #list(region: string): string {
    const isListed = ({ madeMs }: FakeBucket): boolean =>
      madeMs + (this.options.listLagMs ?? 0) <= this.now();
    const Bucket = this.#buckets
      .filter((one) => one.region === region && !one.isForeign && isListed(one))
      .map(({ name, madeMs }) => ({ Name: name, CreationDate: new Date(madeMs).toISOString() }));
    return document("ListAllMyBucketsResult", { Owner: { ID: "1" }, Buckets: { Bucket } });
  }

  #record(verb: "create" | "update" | "delete", bucket: FakeBucket, { method, of }: Call): void {
    const by = `${method} /${bucket.name}${of === "" ? "" : `?${of}`}`;
    const { name } = bucket;
    this.ledger.push({ verb, collection: BUCKETS, key: idOf(bucket), name, by });
  }
}

function idOf({ region, name }: FakeBucket): string {
  return `${region}/${name}`;
}

function verbOf(method: string, name: string, of: string): FakeVerb {
  if (name === "") return "list";
  if (method === "GET") return "read";
  if (of !== "") return "update";
  return method === "DELETE" ? "delete" : "create";
}

function shown({ acl, settings }: FakeBucket, of: string): string {
  if (of === "acl") return grants(acl);
  const text = settings.get(of);
  if (text !== undefined) return text;
  if (of === "policy") throw new Refused(404, "NoSuchBucketPolicy", "UnknownError");
  const kind = Object.hasOwn(documents, of) ? documents[of] : undefined;
  if (kind === undefined) throw new Refused(501, "NotImplemented", `There is no ${of}`);
  if (kind.none !== undefined) throw new Refused(404, kind.none, "UnknownError");
  return document(kind.root, {});
}

function grants(acl: string): string {
  const owner =
    '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"><ID>1</ID></Grantee><Permission>FULL_CONTROL</Permission></Grant>';
  const everybody =
    '<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Group"><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI></Grantee><Permission>READ</Permission></Grant>';
  const list = `${acl === "public-read" ? everybody : ""}${owner}`;
  return `<AccessControlPolicy xmlns="${NAMESPACE}"><Owner><ID>1</ID></Owner><AccessControlList>${list}</AccessControlList></AccessControlPolicy>`;
}

function change(bucket: FakeBucket, { method, of, body, acl }: Call): void {
  const malformed = (): Refused => new Refused(400, "MalformedXML", "UnknownError");
  if (of === "acl") {
    if (acl !== "private" && acl !== "public-read")
      throw new Refused(400, "InvalidArgument", "UnknownError");
    bucket.acl = acl;
  } else if (method === "DELETE") bucket.settings.delete(of);
  else if (of === "policy") {
    bucket.settings.set(of, JSON.stringify(JSON.parse(body)));
  } else {
    const kind = Object.hasOwn(documents, of) ? documents[of] : undefined;
    const root = parseXml(body);
    if (kind === undefined) throw new Refused(501, "NotImplemented", `There is no ${of}`);
    if (root?.name !== kind.root || !body.includes(`xmlns="${NAMESPACE}"`)) throw malformed();
    const names = kind.elements.split(" ");
    for (const [, name = ""] of body.matchAll(/<(\w+)/g))
      if (name !== kind.root && !names.includes(name)) throw malformed();
    let rules = 0;
    const kept = (element: XmlElement): XmlElements | string => {
      const found = names.flatMap((name) => element.all(name));
      if (found.length === 0) return element.text;
      const inner: Record<string, (XmlElements | string)[]> = {};
      for (const one of found) (inner[one.name] ??= []).push(kept(one));
      // A rule without a name gets one.
      if (element.name === "Rule" && inner["ID"] === undefined)
        inner["ID"] = [`rule-${(rules += 1)}`];
      return inner;
    };
    const inner = kept(root);
    bucket.settings.set(of, document(root.name, typeof inner === "string" ? {} : inner));
  }
}

function document(name: string, elements: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${NAMESPACE}">${toXml(elements)}</${name}>`;
}

function typeOf(text: string): string {
  return text.startsWith("<") ? "application/xml" : "application/json";
}

function answered(status: number, code: string, message: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>${toXml({ Error: { Code: code, Message: message, RequestId: "fake-s3" } })}`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

function failed({ status, body, headers = {} }: FakeFault): Response {
  if (status === "dropped") throw new TypeError("The connection was lost");
  const text = isJsonMap(body) ? toXml({ Error: body as XmlElements }) : "";
  return new Response(text, { status, headers: { ...headers, "content-type": "application/xml" } });
}
