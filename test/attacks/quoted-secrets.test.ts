/** Attempts to have a cloud's message show a sealed value. A test is named after its attack. */
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { messagesOf } from "#test/support/runner.ts";
import { deployAt, sharedDigitalocean } from "./digitalocean-target.ts";

const SECRET = "s3cr3t-0123456789abcdefghijklmnopqrstuvwxyz-END";
/** What a reader may see of it by chance. */
const SHORT = 4;

const scene = sharedDigitalocean();

function longestShown(text: string): number {
  let most = 0;
  for (let n = 1; n <= SECRET.length; n += 1) if (text.includes(SECRET.slice(0, n))) most = n;
  return most;
}

it.for([1_845, 1_856, 1_870, 1_880])(
  "a name of %i characters that makes the quoted secret end where messages are cut",
  async (length) => {
    scene.answer = (request, text) =>
      request.method === "POST"
        ? Response.json(
            { id: "unprocessable_entity", message: `invalid: ${text}` },
            { status: 422 },
          )
        : undefined;
    const tenant = await makeTenant();
    const source = `config: { token: { type: string, secret: true } }
resources:
  one: { type: digitalocean:Droplet, properties: { name: ${"p".repeat(length)}, size: s, image: i, user_data: "\${token}" } }
`;
    const { ended } = await deployAt(scene, tenant, source, { token: SECRET });
    const told = [ended.text, ...(await messagesOf(tenant, ended.body.id))].join("\n");
    expect(ended.body.error.message).toContain("invalid: {");
    expect(longestShown(told)).toBeLessThan(SHORT);
  },
);
