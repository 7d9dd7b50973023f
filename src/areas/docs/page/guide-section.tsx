import type { JSX } from "hono/jsx/jsx-runtime";
import { guideTopics } from "#areas/docs/content/guide-topics.ts";
import { Paragraphs } from "#areas/docs/parts/paragraphs.tsx";

export function GuideSection(): JSX.Element {
  return (
    <div class="guide">
      {guideTopics.map(({ id, title, text }) => (
        <div class="topic" id={id}>
          <h3>
            <a href={`#${id}`}>{title}</a>
          </h3>
          <Paragraphs text={text} />
        </div>
      ))}
    </div>
  );
}
