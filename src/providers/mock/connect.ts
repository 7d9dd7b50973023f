import { DROPPED_HEADER } from "./config.ts";
/** How requests reach the built-in cloud: by the Worker's binding, one object per target. */
import type { MockCloud } from "./mock-cloud.ts";

/**
 * The fetch of one target's built-in cloud: wherever the request points, it goes there. Rejects for a connection
 * that a scripted fault drops. `bindings`: the Worker's, of which `MOCK_CLOUD` is needed.
 */
export function connectMockCloud(
  bindings: object,
  targetId: string,
): (request: Request) => Promise<Response> {
  const { MOCK_CLOUD } = bindings as { MOCK_CLOUD: DurableObjectNamespace<MockCloud> };
  return async (request) => {
    const answer = await MOCK_CLOUD.get(MOCK_CLOUD.idFromName(targetId)).fetch(request);
    if (answer.headers.has(DROPPED_HEADER))
      throw new Error("Connection dropped: a fault that this target's config scripts.");
    return answer;
  };
}
