/** The projects that are imported. */
import awsMain from "./fixtures/aws/main.tf?raw";
import azureMain from "./fixtures/azure/main.tf?raw";
import bucketMain from "./fixtures/bucket/main.tf?raw";
import digitaloceanDatabase from "./fixtures/digitalocean/database/main.tf?raw";
import digitaloceanMain from "./fixtures/digitalocean/main.tf?raw";
import digitaloceanVariables from "./fixtures/digitalocean/variables.tf?raw";
import privateMain from "./fixtures/google-private/main.tf?raw";
import googleMain from "./fixtures/google/main.tf?raw";
import scaleSetMain from "./fixtures/scale-set/main.tf?raw";
import vercelMain from "./fixtures/vercel/main.tf?raw";

/** Ten resources of eight types, two of them in a module. */
export const digitaloceanProject = [
  { path: "main.tf", content: digitaloceanMain },
  { path: "variables.tf", content: digitaloceanVariables },
  { path: "database/main.tf", content: digitaloceanDatabase },
];

/** One bucket, of three resources. */
export const bucketProject = [{ path: "main.tf", content: bucketMain }];

/** Eleven resources of eleven types. */
export const googleProject = [{ path: "main.tf", content: googleMain }];

/** Resources of AWS, of which three are parts of others. */
export const awsProject = [{ path: "main.tf", content: awsMain }];

/** A project of Vercel with its firewall, a shared variable and a stream of logs. */
export const vercelProject = [{ path: "main.tf", content: vercelMain }];

/** A network with addresses, and a private connection to services of Google. */
export const privateProject = [{ path: "main.tf", content: privateMain }];

/** A scale set of each system, in a network of their own. */
export const scaleSetProject = [{ path: "main.tf", content: scaleSetMain }];

/** Seventeen resources of seventeen types of azurerm, in a resource group of their own. */
export const azureProject = [{ path: "main.tf", content: azureMain }];
