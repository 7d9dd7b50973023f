/** Policies, addresses of modules and ids that are built to be read exponentially often. */
import { expect, it } from "vitest";
import { drafted } from "#test/support/drafted.ts";
import { processorTime } from "#test/support/processor-time.ts";

const MAX_SECONDS = 2.5;
const queue = 'resource "aws_sqs_queue" "q" {\n  name = "q"\n}\n';

function document(name: string, included: readonly string[] = []): string {
  const all = included.map((one) => `data.aws_iam_policy_document.${one}.json`).join(", ");
  return `data "aws_iam_policy_document" "${name}" {
  source_policy_documents = [${all}]
  statement {
    actions   = ["s3:Get*"]
    resources = ["*"]
  }
}
`;
}

const policyOf = (name: string) =>
  `resource "aws_iam_policy" "p" {\n  policy = data.aws_iam_policy_document.${name}.json\n}\n`;

const chain = Array.from({ length: 40 }, (_, at) =>
  document(`d${at + 1}`, [`d${at}`, `d${at}`]),
).join("");
const empty = Array.from(
  { length: 12 },
  (_, at) => `  l${at + 1} = "${`\${local.l${at}}`.repeat(50)}"\n`,
).join("");

it.each([
  ["documents that include another twice", document("d0") + chain + policyOf("d40")],
  [
    "a document 20,000 times in one",
    document("d0") +
      document(
        "d1",
        Array.from({ length: 20_000 }, () => "d0"),
      ) +
      policyOf("d1"),
  ],
  [
    "an empty text fifty times in each of twelve locals",
    `locals {\n  l0 = ""\n${empty}}\nmodule "m" {\n  source = "\${local.l12}"\n}\n`,
  ],
])("are read in linear time: %s", async (_, text) => {
  const spentMs = processorTime();
  const { resources } = await drafted({ "main.tf": text + queue });
  expect(spentMs() / 1000).toBeLessThan(MAX_SECONDS);
  expect(Object.keys(resources)).toContain("sqsQueueQ");
});
