import type { JSX } from "hono/jsx/jsx-runtime";
import { versionTopics } from "#areas/docs/content/version-topics.ts";
import { Paragraphs } from "#areas/docs/parts/paragraphs.tsx";

export function VersionsSection(): JSX.Element {
  return (
    <section class="area">
      <h1>Versions</h1>
      {versionTopics.map(({ id, title, text }) => (
        <div class="topic" id={id}>
          <h3>
            <a href={`#${id}`}>{title}</a>
          </h3>
          <Paragraphs text={text} />
        </div>
      ))}
    </section>
  );
}
