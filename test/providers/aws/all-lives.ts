import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { awsProvider as makeProvider } from "#providers/aws/aws-provider.ts";
import { problemsInLife, untilFinal } from "#test/providers/type-cycle.ts";
import type { DescribedType } from "./described-type.ts";
import { FakeAws } from "./fake-aws.ts";
import { registryType, rowProblems } from "./registry-types.ts";
import { samples } from "./samples.ts";

const awsProvider = makeProvider();

/** After it, AWS no longer remembers a create's token. */
const FORGOTTEN_MS = 37 * 3_600_000;

/** The problems of these types against a description: their lives, and what a repeated create finds. */
export async function awsProblems(
  types: ReadonlyMap<string, DescribedType>,
  names: readonly string[] = Object.keys(samples),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samples)) {
    if (!names.includes(name)) continue;
    const aws = new FakeAws(types);
    aws.dns.zones.add("Z0001");
    const life = { type: `aws:${name}`, ...sample };
    const found = await problemsInLife(awsProvider, aws.context(), life);
    problems.set(name, [
      ...found,
      ...(await adoptionProblems(types, name, sample.properties)),
      ...leftBy(aws),
    ]);
  }
  return problems;
}

function leftBy(aws: FakeAws): string[] {
  const left = [...aws.control.living().map(({ id }) => id), ...aws.dns.records.keys()];
  return left.map((id) => `${id} is left`);
}

/**
 * A create whose answer was lost: repeated at once it makes no second object, and long after it is found, or nothing is
 * adopted.
 */
async function adoptionProblems(
  types: ReadonlyMap<string, DescribedType>,
  name: string,
  properties: JsonMap,
): Promise<string[]> {
  let aheadMs = 0;
  const type = `aws:${name}`;
  const aws = new FakeAws(types, {
    now: () => Date.now() + aheadMs,
    faults: [{ on: "create", status: "dropped", effect: "after" }],
  });
  aws.dns.zones.add("Z0001");
  const context = aws.context();
  const sentMs = context.now();
  const call = { type, name: "chosen-1", properties, token: "token-1" };
  const of = { ...call, verb: "create" } as const;
  await awsProvider.create(context, call);
  const { repeatableMs, findable } = awsProvider.repeats(context, type);
  const problems: string[] = [];
  if (repeatableMs > 0) {
    const again = await untilFinal(
      awsProvider,
      context,
      await awsProvider.create(context, call),
      of,
    );
    if (again.kind !== "done") problems.push(`a repeated create: ${JSON.stringify(again)}`);
  }
  aheadMs = FORGOTTEN_MS;
  const count = aws.control.living(name).length + aws.dns.records.size;
  if (count !== 1) problems.push(`${count} objects after a repeated create`);
  if (!findable) return problems;
  const found = await awsProvider.lookUp(context, { ...call, known: [], sentMs });
  const final = await untilFinal(awsProvider, context, found, of);
  const isNamed = aws.control
    .living(name)
    .some(({ sent }) => JSON.stringify(sent).includes("chosen-1"));
  const isProven = JSON.stringify(aws.control.living(name)).includes("control:create") || isNamed;
  if (final.kind === "done" ? !isProven : isProven)
    problems.push(`a look-up long after the create: ${JSON.stringify(final)}`);
  return problems;
}

/** The same against the schemas of AWS's registry, for the types that they describe, and where the rows differ. */
export async function awsRegistryProblems(
  schemas: readonly Json[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = schemas
    .filter(isJsonMap)
    .map(registryType)
    .filter((type) => type !== undefined);
  const types = new Map(read.map((type) => [type.name, type]));
  const problems = new Map<string, readonly string[]>();
  const lived = await awsProblems(types);
  for (const [name, found] of lived) {
    const type = types.get(name);
    if (type !== undefined) problems.set(name, [...found, ...rowProblems(type)]);
    // It has an API of its own.
    else if (name === "AWS::Route53::RecordSet") problems.set(name, found);
  }
  console.log(`aws: ${problems.size} of ${lived.size} types are described there`);
  return problems;
}
