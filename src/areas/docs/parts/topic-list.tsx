import type { JSX } from "hono/jsx/jsx-runtime";
import type { Topic } from "#areas/docs/content/topic.ts";
import { Paragraphs } from "./paragraphs.tsx";

export function TopicList({ topics }: { topics: readonly Topic[] }): JSX.Element {
  return (
    <>
      {topics.map(({ id, title, text }) => (
        <div class="topic" id={id}>
          <h3>
            <a href={`#${id}`}>{title}</a>
          </h3>
          <Paragraphs text={text} />
        </div>
      ))}
    </>
  );
}
