# A web shop at DigitalOcean, as a team may have it in Terraform: three modules and what joins them.
# docs/guides/import-terraform.md imports and deploys it.

terraform {
  required_version = ">= 1.6"
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = "~> 2.40"
    }
  }
}

provider "digitalocean" {
  token = var.do_token
}

locals {
  prefix = "${var.project}-${var.environment}"
}

resource "digitalocean_project" "shop" {
  name        = local.prefix
  purpose     = "Web Application"
  environment = "Staging"
}

module "network" {
  source = "./network"
  name   = local.prefix
  region = var.region
  domain = var.domain
}

module "database" {
  source     = "./database"
  name       = local.prefix
  region     = var.region
  size       = var.database_size
  vpc_id     = module.network.vpc_id
  project_id = digitalocean_project.shop.id
}

module "web" {
  source = "./web"
  name   = local.prefix
  region = var.region
  size   = var.droplet_size
  vpc_id = module.network.vpc_id
  extra  = var.extra_servers
}
