/** Connects to the built-in cloud through the Worker's binding, one object per target and account. */
import { readJson } from "#platform/json.ts";
import { DROPPED_HEADER, MOCK_CONFIG_HEADER, MockConfig } from "./config.ts";
import type { MockCloud } from "./mock-cloud.ts";

/**
 * The fetch of one target's built-in cloud, whatever the URL of the request. Rejects when a scripted fault drops the
 * connection. `bindings` are the Worker's and must contain `MOCK_CLOUD`.
 */
export function connectMockCloud(
  bindings: object,
  targetId: string,
): (request: Request) => Promise<Response> {
  const { MOCK_CLOUD } = bindings as { MOCK_CLOUD: DurableObjectNamespace<MockCloud> };
  return async (request) => {
    const name = `${targetId}${accountIn(request)}`;
    const answer = await MOCK_CLOUD.get(MOCK_CLOUD.idFromName(name)).fetch(request);
    if (answer.headers.has(DROPPED_HEADER))
      throw new Error("Connection dropped by a fault in the target's config.");
    return answer;
  };
}

function accountIn(request: Request): string {
  const config = readJson(request.headers.get(MOCK_CONFIG_HEADER) ?? "{}");
  const { account } = MockConfig.safeParse(config).data ?? {};
  return account === undefined ? "" : ` ${account}`;
}
