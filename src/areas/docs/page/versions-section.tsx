import type { JSX } from "hono/jsx/jsx-runtime";
import { versionTopics } from "#areas/docs/content/version-topics.ts";
import { TopicList } from "#areas/docs/parts/topic-list.tsx";

export function VersionsSection(): JSX.Element {
  return (
    <section class="area">
      <h1>Versions</h1>
      <TopicList topics={versionTopics} />
    </section>
  );
}
