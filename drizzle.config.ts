import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  // Tests beside the tables are no tables.
  schema: "./src/schema/!(*.test).ts",
  out: "./migrations",
  casing: "snake_case",
});
