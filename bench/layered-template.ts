/** A template with `depth` layers of `width` servers; each server depends on the one above it. */
export function layeredTemplate(width: number, depth: number): string {
  const lines = ["name: layered", "runtime: yaml", "resources:"];
  for (let layer = 0; layer < depth; layer += 1)
    for (let place = 0; place < width; place += 1) {
      const above = layer === 0 ? "" : `, above: "\${s${layer - 1}x${place}.id}"`;
      const properties = `{ name: s${layer}x${place}, image: v1, size: small${above} }`;
      lines.push(`  s${layer}x${place}: { type: mock:Server, properties: ${properties} }`);
    }
  return `${lines.join("\n")}\n`;
}
