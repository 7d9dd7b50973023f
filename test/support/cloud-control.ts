/**
 * A cloud in the shape of AWS Cloud Control, and the definition of its provider. The cloud has one address, the verb in
 * a header, properties as JSON in texts, and an operation with its own token for every change.
 */
import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import { jsonPatch } from "#providers/aws/json-patch.ts";
import type { FailureMeaning, ProviderContext } from "#providers/provider.ts";
import type {
  Dialect,
  DialectAnswer,
  DialectCall,
  OperationState,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";

const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const parsed = (value: Json | undefined): JsonMap => map(readJson(text(value)));

const operations = {
  create: "CreateResource",
  read: "GetResource",
  update: "UpdateResource",
  delete: "DeleteResource",
  list: "ListResources",
  poll: "GetResourceRequestStatus",
} as const;

function bodyOf(verb: keyof typeof operations, call: DialectCall): JsonMap {
  const type = { TypeName: call.type };
  switch (verb) {
    case "create":
      return {
        ...type,
        DesiredState: JSON.stringify(call.body ?? null),
        ClientToken: call.token ?? "",
      };
    case "update": {
      const PatchDocument = JSON.stringify(call.body ?? []);
      return { ...type, Identifier: call.id ?? "", PatchDocument, ClientToken: call.token ?? "" };
    }
    case "delete":
      return { ...type, Identifier: call.id ?? "", ClientToken: call.token ?? "" };
    case "read":
      return { ...type, Identifier: call.id ?? "" };
    case "list":
      return { ...type, ...(call.page !== undefined && { NextToken: call.page }) };
    case "poll":
      return { RequestToken: call.operation ?? null };
  }
}

const meanings: Readonly<Record<string, FailureMeaning>> = {
  AlreadyExists: "exists",
  NotFound: "gone",
  ResourceNotFoundException: "gone",
  ResourceConflict: "busy",
  Throttling: "throttled",
  AccessDenied: "denied",
  ServiceLimitExceeded: "quota",
};
const meaningOf = (code: string) => {
  const means = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  return means === undefined ? {} : { means };
};

function stateOf(event: JsonMap): OperationState {
  const id = text(event["Identifier"]);
  const known = id === "" ? {} : { id };
  switch (text(event["OperationStatus"])) {
    case "SUCCESS":
      return { state: "done", ...known };
    case "FAILED": {
      const code = text(event["ErrorCode"]);
      const message = text(event["StatusMessage"]);
      const failed = { state: "failed" as const, code, message, ...meaningOf(code) };
      return event["Operation"] === "CREATE" ? { ...failed, place: id } : { ...failed, ...known };
    }
    default:
      return { state: "running", ...known };
  }
}

const dialect: Dialect = {
  patch: jsonPatch,
  request: (verb, call) => ({
    method: "POST",
    path: "/",
    headers: { "x-amz-target": `CloudApiService.${operations[verb]}` },
    body: bodyOf(verb, call),
  }),
  read: ({ json }, verb): DialectAnswer => {
    const answer = map(json);
    if (verb === "read") {
      const { Identifier, Properties } = map(answer["ResourceDescription"]);
      return { kind: "object", id: text(Identifier), object: parsed(Properties) };
    }
    if (verb === "list") {
      const { ResourceDescriptions, NextToken } = answer;
      const items = (Array.isArray(ResourceDescriptions) ? ResourceDescriptions : []).map((one) => {
        const { Identifier, Properties } = map(one);
        const object = Properties === undefined ? {} : { object: parsed(Properties) };
        return { id: text(Identifier), ...object };
      });
      return { kind: "list", items, ...(NextToken !== undefined && { next: NextToken }) };
    }
    const event = map(answer["ProgressEvent"]);
    return { kind: "operation", operation: event["RequestToken"] ?? null, state: stateOf(event) };
  },
};

export const cloudControl: Partial<RestProviderDefinition> = {
  dialect,
  readError: ({ json, status }) => {
    const { __type, message } = map(json);
    const code = text(__type) || `http_${status}`;
    return { code, message: text(message), ...meaningOf(code) };
  },
};

interface Made {
  id: string;
  properties: JsonMap;
}
interface Begun {
  verb: "CREATE" | "UPDATE" | "DELETE";
  id: string;
  polls: number;
  error?: { code: string; keepsId: boolean };
}

/** A stateful cloud of this shape. An operation takes two polls; the identifier of a create appears at the first. */
export class CloudControl {
  readonly objects = new Map<string, Made>();
  readonly requests: { target: string; body: JsonMap }[] = [];
  /** The next operation fails with this. */
  failNext: Begun["error"] | undefined;
  /** Lists show identifiers alone. */
  hidesProperties = false;
  readonly #begun = new Map<string, Begun>();
  readonly #tokens = new Map<string, string>();

  readonly context: ProviderContext = {
    targetId: "target-1",
    region: "eu-1",
    config: {},
    credential: { token: "s3cr3t-token" },
    now: () => 1_000_000,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (request.method !== "POST" || url.pathname !== "/")
        return Response.json({}, { status: 405 });
      const target = (request.headers.get("x-amz-target") ?? "").split(".")[1] ?? "";
      const body = map(await request.json<Json>());
      this.requests.push({ target, body });
      return this.#answer(target, body);
    },
  };

  #answer(target: string, body: JsonMap): Response {
    const id = text(body["Identifier"]);
    switch (target) {
      case "CreateResource": {
        const properties = parsed(body["DesiredState"]);
        return this.#begin("CREATE", text(properties["name"]), body, properties);
      }
      case "UpdateResource":
      case "DeleteResource":
        if (!this.objects.has(id)) return notFound();
        return this.#begin(target === "DeleteResource" ? "DELETE" : "UPDATE", id, body, {});
      case "GetResource": {
        const made = this.objects.get(id);
        return made === undefined
          ? notFound()
          : Response.json({ ResourceDescription: described(made) });
      }
      case "ListResources": {
        const at = Number(body["NextToken"] ?? 0);
        const all = [...this.objects.values()];
        const shown = all.slice(at, at + 1).map((made) => {
          const { Properties, ...hidden } = described(made);
          return this.hidesProperties ? hidden : { ...hidden, Properties };
        });
        const next = at + 1 < all.length ? { NextToken: String(at + 1) } : {};
        return Response.json({ ResourceDescriptions: shown, ...next });
      }
      case "GetResourceRequestStatus":
        return this.#progress(text(body["RequestToken"]));
      default:
        return Response.json({ __type: "UnknownOperation" }, { status: 400 });
    }
  }

  #begin(verb: Begun["verb"], id: string, body: JsonMap, properties: JsonMap): Response {
    const client = text(body["ClientToken"]);
    const known = this.#tokens.get(client);
    if (known !== undefined) return this.#progress(known);
    const token = `request-${this.#begun.size + 1}`;
    this.#tokens.set(client, token);
    const taken = verb === "CREATE" && this.objects.has(id);
    const error = taken ? { code: "AlreadyExists", keepsId: true } : this.failNext;
    this.failNext = undefined;
    this.#begun.set(token, { verb, id, polls: 0, ...(error && { error }) });
    if (error === undefined) this.#change(verb, id, body, properties);
    return this.#progress(token);
  }

  #change(verb: Begun["verb"], id: string, body: JsonMap, properties: JsonMap): void {
    if (verb === "DELETE") this.objects.delete(id);
    if (verb === "CREATE") this.objects.set(id, { id, properties });
    if (verb !== "UPDATE") return;
    const patch = readJson(text(body["PatchDocument"]));
    const made = this.objects.get(id);
    if (made === undefined || !Array.isArray(patch)) return;
    for (const one of patch) {
      const { op, path, value } = map(one);
      const { [text(path).slice(1)]: _, ...rest } = made.properties;
      made.properties = op === "remove" ? rest : { ...rest, [text(path).slice(1)]: value ?? null };
    }
  }

  #progress(token: string): Response {
    const begun = this.#begun.get(token);
    if (begun === undefined)
      return Response.json({ __type: "RequestTokenNotFoundException" }, { status: 400 });
    const { verb, id, polls, error } = begun;
    begun.polls += 1;
    const ended = polls >= 2;
    const status = !ended ? "IN_PROGRESS" : error === undefined ? "SUCCESS" : "FAILED";
    const shows = polls >= 1 && (error === undefined || error.keepsId);
    return Response.json({
      ProgressEvent: {
        Operation: verb,
        RequestToken: token,
        OperationStatus: status,
        ...(shows && { Identifier: id }),
        ...(ended && error && { ErrorCode: error.code, StatusMessage: "it broke" }),
      },
    });
  }
}

function described({ id, properties }: Made): { Identifier: string; Properties: string } {
  return { Identifier: id, Properties: JSON.stringify(properties) };
}

function notFound(): Response {
  const body = { __type: "ResourceNotFoundException", message: "no such resource" };
  return Response.json(body, { status: 400 });
}
