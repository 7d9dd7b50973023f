import type { JSX } from "hono/jsx/jsx-runtime";
import { guideTopics } from "#areas/docs/content/guide-topics.ts";
import { TopicList } from "#areas/docs/parts/topic-list.tsx";

export function GuideSection(): JSX.Element {
  return (
    <div class="guide">
      <TopicList topics={guideTopics} />
    </div>
  );
}
