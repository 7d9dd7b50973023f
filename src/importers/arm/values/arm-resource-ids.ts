/** ARM's functions of ids: of resources in the template by reference, of others as texts. */
import { type Expression, literal } from "#importers/expression.ts";
import { flatText, isTextPart } from "#importers/text/joined-text.ts";
import { keyOf } from "./arm-names.ts";
import { type DeploymentPlace, groupName, placeId, subscriptionId } from "./arm-place.ts";
import { type ArmResources, joinedNames, type Indexed } from "./arm-resource-index.ts";
import type { Turn } from "./arm-turn.ts";
import { textIn } from "./known-values.ts";

interface Place {
  line: number;
  turn: Turn;
  /** The template that the id is in. */
  values: {
    place: DeploymentPlace;
    resources: ArmResources;
    resource: (
      of: Indexed,
      path: readonly string[],
      turn: Turn,
      line: number,
    ) => Expression | undefined;
  };
}

const MAX_KINDS = 20;

/** `resourceId([subscription], [group], type, name, …)` and its like. */
export function idMeaning(
  name: string,
  args: readonly Expression[],
  place: Place,
): Expression | undefined {
  const { line, values } = place;
  const at = args.findIndex(
    (arg, index) =>
      /^[\w-]+\.[\w.-]+\//.test(textIn(arg) ?? "") && (name !== "extensionresourceid" || index > 0),
  );
  const kinds = textIn(args[at])?.replace(/\/$/, "").split("/") ?? [];
  const names = args.slice(at + 1);
  const before = at === -1 ? [] : args.slice(0, at);
  if (names.length === 0 || names.length !== kinds.length - 1 || names.length > MAX_KINDS)
    return undefined;
  const own = values.place;
  switch (name) {
    case "resourceid": {
      const scope = scopeOf(before, place);
      return scope && idOf(scope.id, kinds, names, place, scope.group);
    }
    case "subscriptionresourceid": {
      const [subscription = subscriptionId(own, line)] = before;
      const id = flatText([literal("/subscriptions/"), subscription], line);
      return idOf(id, kinds, names, place, undefined);
    }
    case "tenantresourceid":
      return idOf(literal(""), kinds, names, place, undefined);
    case "managementgroupresourceid": {
      const [group] = before;
      const id =
        group === undefined
          ? placeId({ level: "managementGroup" }, line)
          : flatText([literal("/providers/Microsoft.Management/managementGroups/"), group], line);
      return idOf(id, kinds, names, place, undefined);
    }
    case "extensionresourceid": {
      const [base] = before;
      return base && idOf(base, kinds, names, place, undefined);
    }
    default:
      return undefined;
  }
}

/** The id of the place that `resourceId` names, and the key of its resource group. */
function scopeOf(before: readonly Expression[], { line, values }: Place) {
  const { place } = values;
  const [first, second] = before;
  if (before.length > 2) return undefined;
  if (first === undefined)
    return { id: placeId(place, line), group: keyOf(groupName(place, line)) };
  const isOfSubscription = place.level === "subscription" && second === undefined;
  const subscription = second === undefined && !isOfSubscription ? undefined : first;
  const group = isOfSubscription ? undefined : (second ?? first);
  const parts = [
    literal("/subscriptions/"),
    subscription ?? subscriptionId(place, line),
    ...(group === undefined ? [] : [literal("/resourceGroups/"), group]),
  ];
  if (!parts.every(isTextPart)) return undefined;
  return { id: flatText(parts, line), group: group && keyOf(group) };
}

/** The id of a resource of the template, or of a part of one, or the text of another id. */
function idOf(
  scope: Expression,
  kinds: readonly string[],
  names: readonly Expression[],
  place: Place,
  group: string | undefined,
): Expression | undefined {
  const { line, turn, values } = place;
  for (let known = names.length; known > 0; known -= 1) {
    const own = joinedNames(names.slice(0, known));
    const found = values.resources.find(kinds.slice(0, known + 1).join("/"), own);
    if (found === undefined || !isThere(found, turn, group)) continue;
    const id = values.resource(found, ["id"], turn, line);
    const rest = names
      .slice(known)
      .flatMap((name, more) => [literal(`/${kinds[known + 1 + more] ?? ""}/`), name]);
    if (id === undefined) continue;
    if (rest.length === 0) return id;
    return rest.every(isTextPart) ? flatText([id, ...rest], line) : undefined;
  }
  const text = names.flatMap((name, at) => [literal(`/${kinds[at + 1] ?? ""}/`), name]);
  const parts = [scope, literal(`/providers/${kinds[0] ?? ""}`), ...text];
  return parts.every((part) => isTextPart(part)) ? flatText(parts, line) : undefined;
}

/** Whether a reference to the resource has its id: it is made in that group, and wherever the reader is. */
function isThere({ when, group }: Indexed, { holds }: Turn, wanted: string | undefined): boolean {
  if (wanted !== undefined && group !== undefined && wanted !== group) return false;
  return when.every((one) => holds?.has(one) === true);
}
