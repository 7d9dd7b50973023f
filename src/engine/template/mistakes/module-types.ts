import { didYouMean } from "#engine/template/report.ts";

/** `aws:ec2:Instance`, `aws:ec2/instance:Instance`: Pulumi's names, with a module between provider and type. */
const WITH_MODULE = /^([^:]+):([^:/]+)(?:\/[^:]*)?:([^:]+)$/;

/** The correction for an unknown type with a name in Pulumi's form; undefined: it has another form. */
export function moduleTypeHint(type: string, known: readonly string[]): string | undefined {
  const [, provider = "", module = "", name = ""] = WITH_MODULE.exec(type.toLowerCase()) ?? [];
  if (provider === "") return undefined;
  const called = known.filter((other) => {
    const [prefix, ...parts] = other.toLowerCase().split(/[:/@]/);
    return prefix === provider && parts.includes(name);
  });
  const meant =
    called.length === 1 ? called[0] : called.find((other) => other.toLowerCase().includes(module));
  return (
    didYouMean(meant) ??
    "Types are `<provider>:<Type>`, without a module between, for example `mock:Server`."
  );
}
