/** Traced calls to a cloud with signed requests: the signature does not cover the trace header. */
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { awsScene, instanceAt, sharedTarget } from "#test/support/aws-target.ts";
import { untilOver } from "#test/support/cloud.ts";

const source = `resources:
  logs: { type: aws:AWS::S3::Bucket, properties: {} }
`;
const scene = awsScene(["AWS::S3::Bucket"], () => ({ operationMs: 0 }));

it("a run in a trace sends it beside a signature that AWS accepts and that does not cover it", async () => {
  const tenant = await makeTenant();
  const id = await instanceAt(scene, tenant, await sharedTarget(), source);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const sent: Headers[] = [];
  scene.answer = ({ headers }) => {
    sent.push(headers);
    return undefined;
  };
  const started = await tenant.post(`/instances/${id}/deploy`, undefined, {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    tracestate: "rojo=1",
  });
  const ended = await untilOver(tenant, started.body.id);
  expect(ended.body.state, ended.text).toBe("SUCCEEDED");
  expect(sent.length).toBeGreaterThan(0);
  for (const headers of sent) {
    expect(headers.get("traceparent")).toContain(traceId);
    expect(headers.get("tracestate")).toBeNull();
    const signed = /SignedHeaders=([^,]+)/.exec(headers.get("authorization") ?? "")?.[1];
    expect(signed?.split(";")).toContain("host");
    expect(signed).not.toContain("traceparent");
  }
});
