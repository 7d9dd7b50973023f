/** Every line with `wrong` is a mistake that a client's author could make, and that the document must not let pass. */
import createClient from "openapi-fetch";
import type { components, paths } from "../../dist/sdk/api.ts";

const client = createClient<paths>({ baseUrl: "https://control.example" });
const path = { id: "x" };

export async function makeMistakes(): Promise<void> {
  await client.GET("/api/v1/nothing"); // wrong: there is no such path
  await client.GET("/api/v1/deployments/{id}"); // wrong: the id is missing
  await client.DELETE("/api/v1/deployments/{id}", { params: { path } }); // wrong: nor such a method
  await client.POST("/api/v1/tenants", { body: { name: "Acme" } }); // wrong: a tenant has a slug
  await client.POST("/api/v1/tenants", { body: { name: 1, slug: "acme" } }); // wrong: a name is text
  await client.GET("/api/v1/deployments", { params: { query: { state: "DONE" } } }); // wrong: no such state
  await client.GET("/api/v1/deployments", { params: { query: { page: 2 } } }); // wrong: lists have cursors
  const { data, error } = await client.GET("/api/v1/deployments/{id}", { params: { path } });
  console.log(data.state); // wrong: it may have failed
  console.log(data?.state === "DONE"); // wrong: it never becomes that
  console.log(data?.status); // wrong: it is called state
  console.log(error?.code === "slug_taken"); // wrong: this endpoint never says so
  const event = {} as components["schemas"]["Event"];
  console.log(event.data.summary); // wrong: not every kind has one
  if (event.type === "deployment.done") return; // wrong: there is no such kind
}
