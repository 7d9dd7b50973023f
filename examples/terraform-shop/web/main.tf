variable "name" {}
variable "region" {}
variable "size" {}
variable "vpc_id" {}
variable "extra" {}

resource "digitalocean_droplet" "web" {
  name      = "${var.name}-web"
  region    = var.region
  size      = var.size
  image     = "debian-13-x64"
  vpc_uuid  = var.vpc_id
  user_data = <<-EOT
    #!/bin/sh
    echo "server of ${var.name}, home $${HOME}" > /var/www/index.html
  EOT
}

resource "digitalocean_firewall" "web" {
  name        = "${var.name}-web"
  droplet_ids = [digitalocean_droplet.web.id]

  inbound_rule {
    protocol         = "tcp"
    port_range       = "443"
    source_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "tcp"
    port_range            = "1-65535"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }
}

# One more server for each name that a deployment gives: a template writes them out one by one.
resource "digitalocean_droplet" "extra" {
  for_each = var.extra
  name     = "${var.name}-${each.key}"
  region   = var.region
  size     = var.size
  image    = "debian-13-x64"
}

output "id" {
  value = digitalocean_droplet.web.id
}
