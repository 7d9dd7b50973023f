/** Clouds whose calls are plain REST: a POST makes an object below its path, by the id that the answer has. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Behaviour, RealCall, RealCloud, Words } from "./behaviour.ts";

interface RestShape {
  /** The body of an error. */
  error: (status: number, says: Words) => Json;
  /** The words for an object that is not there. */
  missing: Words;
  /** What the last part of an object's path looks like. Default: a UUID or a number. */
  item?: RegExp;
  /** Members that name a new object. The first that is there ends its path. */
  names?: readonly string[];
  /** Paths that no behaviour concerns. */
  ignores?: RegExp;
  behaviours: readonly Behaviour[];
}

const ITEM = /\/(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d+)$/;
const NAMES = ["id", "name"];

export function restShape({
  error,
  missing,
  item = ITEM,
  names = NAMES,
  ignores,
  behaviours,
}: RestShape): RealCloud {
  const refuse: RealCloud["refuse"] = (_, { status, says }) =>
    Response.json(error(status, says), { status, headers: { date: dateNow() } });
  const isGet = ({ method }: RealCall): boolean => method === "GET";
  return {
    callOf: (request, text) => {
      const { origin, pathname } = new URL(request.url);
      const at = decodeURIComponent(pathname);
      return ignores?.test(at) === true
        ? undefined
        : { method: request.method, origin, at, text: `${at} ${text}` };
    },
    reads: (call) => isGet(call) && item.test(call.at),
    lists: (call) => isGet(call) && !item.test(call.at),
    deletes: ({ method }) => method === "DELETE",
    madeBy: ({ method, at }, answer) => {
      const found = method === "POST" ? namesIn(answer, names) : [];
      return found[0] === undefined ? undefined : { at: `${at}/${found[0]}`, names: found };
    },
    refuse,
    missing: (call) => refuse(call, { status: 404, says: missing }),
    withObject: (answer, change) => inOnly(answer, change),
    behaviours,
  };
}

/** The values of these members of the object, or of the only object in it. */
function namesIn(answer: Json, members: readonly string[]): string[] {
  const object = objectIn(answer);
  return members.flatMap((member) => {
    const value = object[member];
    return (typeof value === "string" && value.length > 2) || typeof value === "number"
      ? [String(value)]
      : [];
  });
}

function objectIn(answer: Json): JsonMap {
  if (!isJsonMap(answer)) return {};
  const [only, ...others] = Object.values(answer).filter(isJsonMap);
  return answer["id"] === undefined && only !== undefined && others.length === 0 ? only : answer;
}

/** The change made to the object, or to the only one in it. */
function inOnly(answer: JsonMap, change: (object: JsonMap) => JsonMap): JsonMap {
  const object = objectIn(answer);
  if (object === answer) return change(answer);
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      value === object && isJsonMap(value) ? change(value) : value,
    ]),
  );
}

function dateNow(): string {
  return new Date(Date.now()).toUTCString();
}

/** The lists at these names, at any depth, in reverse. */
export function reversed(object: JsonMap, ...names: readonly string[]): JsonMap {
  const turn = (value: Json, key = ""): Json => {
    if (Array.isArray(value)) {
      const inner = value.map((one) => turn(one));
      return names.includes(key) ? inner.toReversed() : inner;
    }
    return isJsonMap(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, turn(one, name)]))
      : value;
  };
  return turn(object) as JsonMap;
}
