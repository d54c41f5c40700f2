"""The same of the API before 1.0."""
import os
from locust import HttpLocust, TaskSet, between, task


class Tasks(TaskSet):
    @task(3)
    def home(self):
        self.client.get(os.environ.get("PATH_ASKED", "/ok"), name="/", timeout=1)

    @task(1)
    def mixed(self):
        self.client.get("/mixed", name="/mixed", timeout=1)


class Browser(HttpLocust):
    task_set = Tasks
    wait_time = between(0.01, 0.05)
