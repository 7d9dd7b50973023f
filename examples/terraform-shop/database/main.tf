variable "name" {}
variable "region" {}
variable "size" {}
variable "vpc_id" {}
variable "project_id" {}

resource "digitalocean_database_cluster" "this" {
  name                 = "${var.name}-database"
  engine               = "pg"
  version              = "17"
  size                 = var.size
  region               = var.region
  node_count           = 1
  private_network_uuid = var.vpc_id
  project_id           = var.project_id
}

resource "digitalocean_database_db" "shop" {
  cluster_id = digitalocean_database_cluster.this.id
  name       = "shop"
}

output "uri" {
  value = digitalocean_database_cluster.this.uri
}
