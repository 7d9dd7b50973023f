/** Which calls Google describes: methods and paths of its services. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mapAt, serviceOf } from "./vendor-mistakes.ts";

interface Call {
  method: string;
  path: RegExp;
}

function callOf(method: string, path: string): Call {
  const pattern = path
    .replace(/^\/?/, "/")
    .replace(/[.$^*()|[\]\\]/g, "\\$&")
    .replace(/\{\+[^}]+\}/g, ".+")
    .replace(/\{[^}]+\}/g, "[^/]+");
  return { method: method.toUpperCase(), path: new RegExp(`^${pattern}$`) };
}

function methodsIn(resource: JsonMap, base: string): Call[] {
  const own = Object.values(mapAt(resource, "methods")).flatMap((one) => {
    const { httpMethod, path } = mapAt(one);
    return typeof httpMethod === "string" && typeof path === "string"
      ? [callOf(httpMethod, base + path)]
      : [];
  });
  const nested = Object.values(mapAt(resource, "resources")).filter(isJsonMap);
  return [...own, ...nested.flatMap((one) => methodsIn(one, base))];
}

function callsIn(file: Json): Call[] {
  const { servicePath } = mapAt(file);
  const described = Object.entries(mapAt(file, "paths")).flatMap(([path, methods]) =>
    Object.keys(mapAt(methods)).map((method) => callOf(method, path)),
  );
  return [
    ...described,
    ...methodsIn(mapAt(file), typeof servicePath === "string" ? servicePath : ""),
  ];
}

/** The requests, `GET run/v2/…`, to services that the files describe, that none of them describes. */
export function unknownCalls(files: readonly Json[]): (requests: readonly string[]) => string[] {
  const services = new Map(files.map((file) => [serviceOf(file), callsIn(file)]));
  return (requests) =>
    requests.filter((line) => {
      const [, method = "", service = "", path = ""] = /^(\S+) ([^/]+)([^?]*)/.exec(line) ?? [];
      const calls = services.get(service);
      return calls?.some((call) => call.method === method && call.path.test(path)) === false;
    });
}
