"""What `leeboard doctor` looks at. Looking changes nothing; a repair is offered where there is one."""
