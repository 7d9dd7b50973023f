/** Connects to the built-in cloud through the Worker's binding, one object per target. */
import { DROPPED_HEADER } from "./config.ts";
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
    const answer = await MOCK_CLOUD.get(MOCK_CLOUD.idFromName(targetId)).fetch(request);
    if (answer.headers.has(DROPPED_HEADER))
      throw new Error("Connection dropped by a fault in the target's config.");
    return answer;
  };
}
