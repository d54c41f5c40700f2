"""What all runs of this folder send: users that ask PATH_ASKED, then /mixed, by their weights."""

import os

from locust import HttpUser, between, task


class Browser(HttpUser):
    wait_time = between(0.01, 0.05)

    @task(3)
    def home(self) -> None:
        self.client.get(os.environ.get("PATH_ASKED", "/ok"), name="/", timeout=1)

    @task(1)
    def mixed(self) -> None:
        self.client.get("/mixed", name='mixed, "quoted"', timeout=1)
