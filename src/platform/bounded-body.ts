/** The whole body of an answer; undefined if it has more than `maxBytes`. The rest is then not read. */
export async function boundedBody(response: Response, maxBytes: number): Promise<Blob | undefined> {
  if (response.body === null) return new Blob();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
