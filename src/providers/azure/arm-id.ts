/**
 * Ids of Azure Resource Manager. Their letter case means nothing to ARM, which shows one id in several cases; here there
 * is one spelling of each, so that two texts never stand for one object: Azure's own words in their usual case, types
 * without a row and all names in lower case. Calls are sent with names as they were written: what answers behind ARM,
 * such as a database server, may tell two cases apart.
 */

/** An id, taken apart. */
export interface ArmId {
  /** The one spelling. */
  id: string;
  /** The same with the names in the letter case in which they were written. */
  written: string;
  /** `Microsoft.Sql/servers/databases`, in the row's spelling or lower case. */
  type: string;
  /** In lower case; absent: it stands above subscriptions. */
  subscription?: string;
  /** In lower case. */
  resourceGroup?: string;
  /** In lower case. */
  name: string;
}

export const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_LENGTH = 2_000;

/** A segment of an id: what cannot end a path, leave it, or be read as an encoding. */
export function isArmSegment(text: string): boolean {
  return (
    text.length <= 260 &&
    text.isWellFormed() &&
    /^[^/\\?#%<>&\p{Cc}]+$/u.test(text) &&
    text.trim() === text &&
    !/^\.+$/.test(text)
  );
}

/** Takes an id apart. `spelled`: the usual spelling of a type. Undefined: it is none. */
export function parseArmId(
  text: string,
  spelled: (type: string) => string | undefined,
): ArmId | undefined {
  if (!text.startsWith("/") || text.length > MAX_LENGTH) return undefined;
  const segments = text.slice(1).split("/");
  if (segments.length % 2 !== 0 || !segments.every(isArmSegment)) return undefined;
  const lower = segments.map((segment) => segment.toLowerCase());
  const words: string[] = [];
  const written: string[] = [];
  let at = 0;
  let type = "";
  let subscription: string | undefined;
  let resourceGroup: string | undefined;
  if (lower[0] === "subscriptions") {
    subscription = lower[1] ?? "";
    if (!GUID.test(subscription)) return undefined;
    words.push("subscriptions", subscription);
    written.push("subscriptions", subscription);
    type = "Microsoft.Resources/subscriptions";
    at = 2;
    if (lower[2] === "resourcegroups") {
      resourceGroup = lower[3] ?? "";
      words.push("resourceGroups", resourceGroup);
      written.push("resourceGroups", segments[3] ?? "");
      type = "Microsoft.Resources/resourceGroups";
      at = 4;
    }
  }
  while (at < lower.length) {
    if (lower[at] !== "providers") return undefined;
    const namespace = lower[at + 1] ?? "";
    const names: string[] = [];
    let kind = namespace;
    for (at += 2; at < lower.length && lower[at] !== "providers"; at += 2) {
      kind += `/${lower[at]}`;
      names.push(segments[at + 1] ?? "");
    }
    if (names.length === 0) return undefined;
    type = spelled(kind) ?? kind;
    const [root = "", ...kinds] = type.split("/");
    const pairs = kinds.flatMap((one, place) => [one, names[place] ?? ""]);
    written.push("providers", root, ...pairs);
    words.push(
      "providers",
      root,
      ...pairs.map((one, place) => (place % 2 === 0 ? one : one.toLowerCase())),
    );
  }
  if (type === "") return undefined;
  return {
    id: `/${words.join("/")}`,
    written: `/${written.join("/")}`,
    type,
    name: words.at(-1) ?? "",
    ...(subscription === undefined ? {} : { subscription }),
    ...(resourceGroup === undefined ? {} : { resourceGroup }),
  };
}
