module benchkit/gateways/static

go 1.21
