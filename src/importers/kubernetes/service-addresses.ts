import {
  type Expression,
  literal,
  type ObjectExpression,
  textOf,
  withParts,
} from "#importers/expression.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

const address =
  /^([a-z][a-z0-9+]{1,15}:\/\/)?([a-z0-9-]{1,63})((?:\.([a-z0-9-]{1,63})(?:\.svc(?:\.cluster\.local)?)?)?)(:\d{2,5})?(\/?)$/;
const namesAddress =
  /(?:^|_)(?:host|hostname|addr|address|server|service|endpoint|url|uri|broker|brokers|upstream)$/i;

/** Finds the addresses of a draft's services in the environments of its containers. */
export class ServiceAddresses {
  /** The addresses in the draft by namespace and name. */
  readonly #services: ReadonlyMap<string, string>;

  constructor(objects: readonly KubernetesObject[]) {
    this.#services = new Map(
      objects.flatMap(({ address: own, apiVersion, kind, name, namespace, isGenerated }) =>
        kind === "Service" && apiVersion === "v1" && !isGenerated
          ? [[`${namespace}/${name}`, own]]
          : [],
      ),
    );
  }

  /** The settings of an object, whose environments refer to services by reference. */
  within(
    settings: ObjectExpression,
    { namespace = "default" }: KubernetesObject,
  ): ObjectExpression {
    if (this.#services.size === 0) return settings;
    const changed = (at: Expression, name: string): Expression => {
      if (name === "env" && at.kind === "list")
        return { ...at, items: at.items.map((item) => this.#pair(item, namespace)) };
      if (at.kind === "object")
        return {
          ...at,
          members: at.members.map((one) => ({ ...one, value: changed(one.value, one.name) })),
        };
      return at.kind === "list" ? withParts(at, (part) => changed(part, "")) : at;
    };
    const members = settings.members.map((one) => ({
      ...one,
      value: changed(one.value, one.name),
    }));
    return { kind: "object", members };
  }

  #pair(pair: Expression, namespace: string): Expression {
    if (pair.kind !== "object") return pair;
    const name = pair.members.find((one) => one.name === "name")?.value;
    const key = name?.kind === "literal" ? String(name.value) : "";
    if (isSecretName(key)) return pair;
    return {
      ...pair,
      members: pair.members.map((one) =>
        one.name === "value" && one.value.kind === "literal"
          ? { ...one, value: this.#value(one.value, one.line, key, namespace) }
          : one,
      ),
    };
  }

  #value(
    given: Extract<Expression, { kind: "literal" }>,
    line: number,
    key: string,
    around: string,
  ): Expression {
    const [whole, scheme = "", name = "", domain = "", namespace = around, port = "", end = ""] =
      address.exec(String(given.value)) ?? [];
    const service = this.#services.get(`${namespace}/${name}`);
    if (whole === undefined || service === undefined) return given;
    if (scheme === "" && port === "" && !namesAddress.test(key)) return given;
    const target = { kind: "resource", address: service } as const;
    return textOf([
      ...(scheme === "" ? [] : [literal(scheme)]),
      { kind: "reference", target, path: ["name"], line },
      ...(domain + port + end === "" ? [] : [literal(domain + port + end)]),
    ]);
  }
}
