"""The two apps that Flower looks for."""

from tacit.interfaces.bridges.flower import client_app, server_app

answering = client_app()
asking = server_app()
